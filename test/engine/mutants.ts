/** Mistakes of one line that the compiled engine could have; every one must be found by machines drawn at random. */

export interface Mutant {
  readonly what: string
  /** Below lib/engine/. */
  readonly file: string
  /** The original text, which occurs in the file exactly once. */
  readonly find: string
  readonly replace: string
}

const chart = (what: string, find: string, replace: string): Mutant => ({ what, file: 'chart.ts', find, replace })
const plans = (what: string, find: string, replace: string): Mutant => ({ what, file: 'plans.ts', find, replace })
const node = (what: string, find: string, replace: string): Mutant => ({ what, file: 'node.ts', find, replace })
const compiled = (what: string, find: string, replace: string): Mutant => ({
  what,
  file: 'compiled.ts',
  find,
  replace,
})

export const MUTANTS: readonly Mutant[] = [
  chart('entry actions are exit actions', 'exit: pureActions(node.exit, node)', 'exit: pureActions(node.entry, node)'),
  chart('no entry actions', 'entry: pureActions(node.entry, node)', 'entry: []'),
  chart('no actions of initial transitions', 'actions: pureActions(node.initial.actions, node) }', 'actions: [] }'),
  chart('no end', "isFinal: node.type === 'final'", 'isFinal: false'),
  chart(
    'only the last of several candidates',
    'transitions.map(transitionOf)',
    'transitions.slice(-1).map(transitionOf)',
  ),
  chart(
    'transitions without a target are ignored',
    'draft.on.set(descriptor, transitions.map(transitionOf))',
    'draft.on.set(descriptor, transitions.filter(({ target }) => target).map(transitionOf))',
  ),
  chart('every transition reenters', '      reenter,\n', '      reenter: true,\n'),
  chart('no transition reenters', '      reenter,\n', '      reenter: false,\n'),
  chart('no guards', 'guard: guardOf(guard, implementations.guards, source)', 'guard: null'),
  chart('no actions of transitions', 'actions: pureActions(actions, source)', 'actions: []'),
  chart('no transitions without an event', 'draft.always.push(...(node.always ?? []).map(transitionOf))', ''),
  chart(
    'transitions without an event in reverse order',
    '(node.always ?? []).map(transitionOf)',
    '(node.always ?? []).toReversed().map(transitionOf)',
  ),

  plans('outer states before inner ones', 'return this.#path.toReversed()', 'return this.#path'),
  plans(
    'only the innermost state',
    'this.#outwards.flatMap((node) => candidates',
    'this.#outwards.slice(0, 1).flatMap((node) => candidates',
  ),
  plans(
    'transitions without an event of outer states are ignored',
    'this.#outwards.flatMap(({ always })',
    'this.#outwards.slice(0, 1).flatMap(({ always })',
  ),
  plans('plans of one type for all', 'this.#byType.get(type)', 'this.#byType.values().next().value'),
  plans('exit outwards in', '...this.#outwards.filter(isInDomain)', '...this.#path.filter(isInDomain)'),
  plans('the actions of a transition twice', '      actions: [\n', '      actions: [\n        ...actions,\n'),
  plans('everything is left', '...this.#outwards.filter(isInDomain).flatMap', '...this.#outwards.flatMap'),
  plans('nothing is left', '...this.#outwards.filter(isInDomain).flatMap', '...this.#outwards.slice(0, 0).flatMap'),
  plans('everything is entered', '          .filter(isEntered)\n', ''),
  plans(
    'a target that contains the source is not entered',
    'node === target ? target !== source || transition.reenter',
    'node === target ? isInDomain(node)',
  ),
  plans(
    'a target is always entered',
    'node === target ? target !== source || transition.reenter',
    'node === target ? true',
  ),
  plans(
    'initial actions of all entered states',
    'entering(node, node === target || isBelow(node, target))',
    'entering(node, true)',
  ),
  plans(
    'no initial actions of the target itself',
    'entering(node, node === target || isBelow(node, target))',
    'entering(node, isBelow(node, target))',
  ),
  plans('no exit at the end', '        ...ending(to),\n', ''),
  plans('no exit at an end that is the start', 'entering(node, true)), ...ending(first)]', 'entering(node, true))]'),
  plans(
    'no initial actions at the start',
    'entering(node, true)), ...ending(first)]',
    'entering(node, false)), ...ending(first)]',
  ),
  plans('the end is left outwards in', '        .toReversed()\n', ''),
  plans('initial actions before the entry', '[...entry, ...initial.actions]', '[...initial.actions, ...entry]'),
  plans(
    'a target within the source is external',
    'if (!reenter && (target === source || isBelow(target, source))) return source',
    'if (!reenter && target === source) return source',
  ),
  plans(
    'a target that is the source is external',
    '(target === source || isBelow(target, source))) return source',
    'isBelow(target, source)) return source',
  ),
  plans('reenter leaves nothing', 'if (!reenter && (target', 'if ((target'),
  plans('the outermost domain, not the innermost', 'pathOf(target).findLast(', 'pathOf(target).find('),
  plans(
    'the source may be the domain',
    'isBelow(target, node) && isBelow(source, node))',
    'isBelow(target, node) && (node === source || isBelow(source, node)))',
  ),
  plans(
    'the target may be the domain',
    'isBelow(target, node) && isBelow(source, node))',
    '(node === target || isBelow(target, node)) && isBelow(source, node))',
  ),
  plans(
    'the outermost state is never left',
    'return shared ?? (reenter ? null : (pathOf(source)[0] ?? null))',
    'return shared ?? pathOf(source)[0] ?? null',
  ),
  plans(
    'the outermost state is always left',
    'return shared ?? (reenter ? null : (pathOf(source)[0] ?? null))',
    'return shared ?? null',
  ),
  plans(
    'patterns before the type itself',
    'return [type, ...patterns.sort((one, other) => other.length - one.length)]',
    'return [...patterns.sort((one, other) => other.length - one.length), type]',
  ),
  plans('short patterns first', 'other.length - one.length)', 'one.length - other.length)'),
  plans('patterns as they stand in the text', 'patterns.sort((one, other) => other.length - one.length)', 'patterns'),
  node('no patterns', "if (pattern === '*') return true", "if (pattern === '*') return false"),
  node('a prefix need not end at a dot', 'type.startsWith(pattern.slice(0, -1))', 'type.startsWith(head)'),
  node('a pattern does not match its head', 'type === head || ', ''),
  node('an asterisk within a pattern stands for itself', "!head.split('.').includes('*') && ", ''),
  node(
    'every asterisk at the end is a pattern',
    "if (!pattern.endsWith('.*')) return false",
    "if (!pattern.endsWith('*')) return false",
  ),

  compiled('nothing without an event', 'return [settle(after, event, effects), effects]', 'return [after, effects]'),
  compiled('one transition without an event', 'isAtRest = isIdle(plan, state)', 'isAtRest = true'),
  compiled(
    'no transition without an event at the start',
    'return [settle(first, event, effects), effects]',
    'return [first, effects]',
  ),
  compiled('a machine continues after its end', '!state.leaf.isFinal; passes++', 'true; passes++'),
  compiled('one pass more', 'if (passes > limit)', 'if (passes > limit + 1)'),
  compiled('an idle transition counts as a change', 'isAtRest = isIdle(plan, state)', 'isAtRest = false'),
  compiled('an idle transition makes a new state', '!plan || isIdle(plan, state) ? state', '!plan ? state'),
  compiled('an action is no change if the state stays', 'to === leaf && actions.length === 0', 'to === leaf'),
  compiled('a move is no change without an action', 'to === leaf && actions.length === 0', 'actions.length === 0'),
  compiled(
    'all actions see the old context',
    'action.decide(context, event, effects)',
    'action.decide(before, event, effects)',
  ),
  compiled(
    'actions see only the type of an event',
    ': take(plan, state.context, event, effects)',
    ': take(plan, state.context, { type: event.type }, effects)',
  ),
  compiled(
    'actions without an event do not see the last one',
    'state = take(plan, state.context, event, effects)',
    "state = take(plan, state.context, { type: '' }, effects)",
  ),
  compiled(
    'actions at the start do not see the input',
    'take(plans.start, context, event, effects)',
    'take(plans.start, context, { type: event.type }, effects)',
  ),
  compiled('a change replaces the context', '{ ...context, ...changes }', '{ ...changes }'),
  compiled(
    'only the effects of the last action',
    'const changes = action',
    'effects.length = 0\n    const changes = action',
  ),
  compiled(
    'the old configuration',
    'return new State(to, context)',
    'return new State(to.always.length > 0 ? to.always[0].to : to, context)',
  ),
  compiled('errors of guards unchanged', 'throw new Error(\n      `Unable', 'throw error ?? new Error(\n      `Unable'),
  compiled(
    'an event with candidates always counts as handled',
    'handles: (state, event) => chosenFor(state, event) !== undefined',
    'handles: (state, event) => state.leaf.plansFor(event.type).length > 0',
  ),
  compiled('the end is active', "this.leaf.isFinal ? 'done' : 'active'", "'active'"),
  compiled('the machine starts with another event', "{ type: 'xstate.init', input }", "{ type: 'init', input }"),
  compiled('the input is the context', 'const context = contextOf(machine, input)', 'const context = { n: input }'),
]
