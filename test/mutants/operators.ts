/**
 * The operators that make mutants, by the syntax tree of TypeScript. They know how actors are written: effects are the
 * arguments of `it.do(...)` and the elements after the changes of a decision; a context is changed by assignments in a turn
 * and by the fields of a decision.
 */
import ts from 'typescript'
import { applied, type Mutant, type Operator } from './mutant.ts'

/** A change of the text by an operator. */
type Change = Pick<Mutant, 'operator' | 'start' | 'end' | 'text'>

/** The constructors of effects that a decision or a turn may hold. */
const EFFECTS = new Set([
  'tell',
  'timer',
  'cancel',
  'persist',
  'observe',
  'retry',
  'snapshot',
  'ask',
  'answer',
  'refuse',
])
/** Effects that change something if they come twice. The second of two timers replaces the first. */
const COUNTED = new Set(['tell', 'persist', 'observe'])
/** Words of comparisons that tell old messages from new ones. */
const VERSIONED = /attempt|incarnation|round|search|epoch|generation|pass|isSame|\bn\b/i
const CHANGERS = new Set(['set', 'add', 'delete', 'push', 'clear', 'assign'])

const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
])
const CONNECTIVES: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
])
const ASSIGNMENTS = new Set([ts.SyntaxKind.EqualsToken, ts.SyntaxKind.PlusEqualsToken, ts.SyntaxKind.MinusEqualsToken])

/** All mutants of a file, in the order of its text. No two of them have the same text. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const texts = new Set([source])
  const names = new Map<string, number>()
  const mutants: Mutant[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return
    for (const change of changesAt(node, tree)) {
      const text = applied(source, change)
      if (texts.has(text)) continue
      texts.add(text)
      const name = [file, functionOf(node), change.operator, lineAt(source, change.start)].join(' :: ')
      const nth = (names.get(name) ?? 0) + 1
      names.set(name, nth)
      mutants.push({ name: nth === 1 ? name : `${name} :: ${nth}`, file, ...change })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return mutants
}

/** The text of the line with a place. */
function lineAt(source: string, place: number): string {
  const from = source.lastIndexOf('\n', place - 1) + 1
  const to = source.indexOf('\n', place)
  const first = source.slice(from, to < 0 ? undefined : to).trim()
  // a change may begin right before the line break
  return first === '' ? lineAt(source, to + 1) : first
}

/** The named functions, constants and fields around a node, from the outside in. */
function functionOf(node: ts.Node): string {
  const names: string[] = []
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    const name = nameOf(at)
    if (name !== undefined) names.unshift(name)
  }
  return names.join('.') || 'the file'
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return node.name?.getText()
  const isHolder = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
  if (!isHolder || !node.initializer) return undefined
  return hasFunction(node.initializer) ? node.name.getText() : undefined
}

const hasFunction = (node: ts.Node): boolean =>
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node) ||
  (ts.isCallExpression(node) && node.arguments.some(hasFunction)) ||
  (ts.isObjectLiteralExpression(node) && node.properties.length > 0) ||
  (ts.isArrayLiteralExpression(node) && node.elements.some(hasFunction))

function changesAt(node: ts.Node, tree: ts.SourceFile): Change[] {
  return [
    ...ofEffect(node, tree),
    ...ofCall(node, tree),
    ...ofUpdate(node, tree),
    ...ofGuard(node, tree),
    ...ofComparison(node, tree),
  ]
}

const replacing = (operator: Operator, node: ts.Node, tree: ts.SourceFile, text: string): Change => ({
  operator,
  start: node.getStart(tree),
  end: node.end,
  text,
})

// --- effects ------------------------------------------------------------------------------------------------------------

function ofEffect(node: ts.Node, tree: ts.SourceFile): Change[] {
  if (!isEffect(node)) return []
  const dropped = removing(operatorOf(node, tree), node, listOf(node), tree)
  const isCounted = ts.isCallExpression(node) && COUNTED.has(node.expression.getText(tree))
  if (!isCounted) return [dropped]
  const text = node.getText(tree)
  return [dropped, replacing('effect doubled', node, tree, `${text}, ${text}`)]
}

/** Whether a node is one of the effects of a decision or a turn. */
function isEffect(node: ts.Node): node is ts.Expression {
  const { parent } = node
  if (!parent) return false
  if (ts.isCallExpression(parent)) return isDo(parent) && parent.arguments.some((one) => one === node)
  if (!ts.isArrayLiteralExpression(parent)) return false
  const call = ts.isSpreadElement(node) ? node.expression : node
  return ts.isCallExpression(call) && EFFECTS.has(call.expression.getText())
}

const isDo = ({ expression }: ts.CallExpression): boolean =>
  ts.isPropertyAccessExpression(expression) && expression.name.text === 'do'

function operatorOf(node: ts.Node, tree: ts.SourceFile): Operator {
  const text = node.getText(tree)
  if (/^(\.\.\.)?persist/.test(text)) return 'record dropped'
  return /^cancel\(/.test(text) ? 'timer kept' : 'effect dropped'
}

function listOf({ parent }: ts.Node): ts.NodeArray<ts.Node> {
  if (ts.isCallExpression(parent)) return parent.arguments
  if (ts.isObjectLiteralExpression(parent)) return parent.properties
  if (ts.isArrayLiteralExpression(parent)) return parent.elements
  throw new Error(`an item without a list: ${parent.getText()}`)
}

/** Removes an item of a list with its comma. */
function removing(operator: Operator, node: ts.Node, list: ts.NodeArray<ts.Node>, tree: ts.SourceFile): Change {
  const place = list.indexOf(node)
  const next = list[place + 1]
  const before = list[place - 1]
  if (next) return { operator, start: node.getStart(tree), end: next.getStart(tree), text: '' }
  return { operator, start: before ? before.end : node.getStart(tree), end: node.end, text: '' }
}

// --- calls and updates --------------------------------------------------------------------------------------------------

/** A turn passes `it` on: the call changes the context or adds effects. */
const takesTurn = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.arguments[0]?.getText() === 'it'

function ofCall(node: ts.Node, tree: ts.SourceFile): Change[] {
  if (ts.isExpressionStatement(node) && takesTurn(node.expression)) return [replacing('call dropped', node, tree, '{}')]
  if (ts.isArrowFunction(node) && takesTurn(node.body)) return [replacing('call dropped', node.body, tree, '{}')]
  return []
}

function ofUpdate(node: ts.Node, tree: ts.SourceFile): Change[] {
  if (ts.isExpressionStatement(node))
    return isUpdate(node.expression) ? [replacing('update dropped', node, tree, '{}')] : []
  const { parent } = node
  const isField = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)
  if (!isField || !ts.isObjectLiteralExpression(parent) || !(isChanges(parent) || comesAfterSpread(node, parent)))
    return []
  return [removing('update dropped', node, parent.properties, tree)]
}

function isUpdate(node: ts.Expression): boolean {
  if (ts.isBinaryExpression(node))
    return ASSIGNMENTS.has(node.operatorToken.kind) && ts.isPropertyAccessExpression(node.left)
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false
  return CHANGERS.has(node.expression.name.text)
}

const comesAfterSpread = (node: ts.Node, { properties }: ts.ObjectLiteralExpression): boolean =>
  properties.some((one) => ts.isSpreadAssignment(one) && one.pos < node.pos)

/** Whether an object is the changes of a decision: the first element of a list that a function returns. */
function isChanges(node: ts.ObjectLiteralExpression): boolean {
  const { parent } = node
  if (!ts.isArrayLiteralExpression(parent) || parent.elements[0] !== node) return false
  let at: ts.Node = parent
  while (ts.isParenthesizedExpression(at.parent) || ts.isConditionalExpression(at.parent)) at = at.parent
  return ts.isArrowFunction(at.parent) || ts.isReturnStatement(at.parent)
}

// --- guards and comparisons ---------------------------------------------------------------------------------------------

function ofGuard(node: ts.Node, tree: ts.SourceFile): Change[] {
  if (ts.isPropertyAssignment(node) && node.name.getText(tree) === 'guard') {
    const guard = node.initializer.getText(tree)
    return [replacing('guard negated', node.initializer, tree, `(met) => !(${guard})(met)`)]
  }
  const condition = ts.isIfStatement(node)
    ? node.expression
    : ts.isConditionalExpression(node)
      ? node.condition
      : undefined
  if (!condition) return []
  return [replacing('guard negated', condition, tree, negated(condition, tree))]
}

/** The opposite of a condition, written as `comparison swapped` would write it, so that both give one mutant. */
function negated(condition: ts.Expression, tree: ts.SourceFile): string {
  const text = condition.getText(tree)
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken) {
    return condition.operand.getText(tree)
  }
  if (ts.isBinaryExpression(condition) && /^[!=]==$/.test(condition.operatorToken.getText(tree))) {
    return swapped(condition, tree, condition.operatorToken.getText(tree) === '===' ? '!==' : '===')
  }
  return `!(${text})`
}

const swapped = ({ left, operatorToken, right }: ts.BinaryExpression, tree: ts.SourceFile, by: string): string =>
  left.getText(tree) +
  tree.text.slice(left.end, operatorToken.getStart(tree)) +
  by +
  tree.text.slice(operatorToken.end, right.end)

function ofComparison(node: ts.Node, tree: ts.SourceFile): Change[] {
  if (ts.isCallExpression(node) && node.expression.getText(tree) === 'isSame')
    return [replacing('attempt ignored', node, tree, 'true')]
  if (!ts.isBinaryExpression(node)) return []
  const { kind } = node.operatorToken
  const connective = CONNECTIVES.get(kind)
  if (connective !== undefined) return [replacing('connective swapped', node, tree, swapped(node, tree, connective))]
  const other = SWAPPED.get(kind)
  if (other === undefined) return []
  const change = replacing('comparison swapped', node, tree, swapped(node, tree, other))
  const isEquality = kind === ts.SyntaxKind.EqualsEqualsEqualsToken
  if (!(isEquality || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken) || !VERSIONED.test(node.getText(tree)))
    return [change]
  return [replacing('attempt ignored', node, tree, isEquality ? 'true' : 'false'), change]
}
