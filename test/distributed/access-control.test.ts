/** Servers with access control: passwords, credentials and TLS are passed through to the client. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { UsageError } from '../../lib/core/usage-error.ts'
import type { Access } from '../../lib/distributed/access.ts'
import { connectTo } from '../../lib/distributed/connect.ts'
import { runScenario } from '../bidding/command.ts'
import { programPath } from '../programs.ts'
import { HostProcesses } from './hosts.ts'
import { SECRET, SECRET_FILE } from './secret.ts'
import { NO_SERVER, serverPath, startServer } from './server.ts'

const program = serverPath()
if (program === undefined) console.log(`not run: ${NO_SERVER}`)
else testSecured(program)

function testSecured(program: string): void {
  const test = suite('secured')
  const folder = mkdtempSync(join(tmpdir(), 'bourse-secured-test-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))

  /** Connects to a server; returns 'taken' or the error. */
  async function asked(access: Omit<Access, 'insecure' | 'secret'>): Promise<string> {
    try {
      const connection = await connectTo({ insecure: false, secret: SECRET, ...access }, 'test', '--nats')
      await connection.flush()
      await connection.close()
      return 'taken'
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return error.message
    }
  }

  async function against(config: string, use: (url: URL) => Promise<void>): Promise<void> {
    const server = await startServer(program, config)
    try {
      await use(server.url)
    } finally {
      await server.remove()
    }
  }

  const as = (url: URL, who: string): URL => new URL(`nats://${who}@${url.host}`)

  test('a user and a password stand in the address', () =>
    against('authorization { user: bourse, password: "a/b" }', async (url) => {
      assert.is(await asked({ url: as(url, 'bourse:a%2Fb') }), 'taken')
      assert.match(
        await asked({ url: as(url, 'bourse:ab') }),
        /the NATS server of --\w+ at 127\.0\.0\.1:\d+.*Authorization/,
      )
      assert.match(await asked({ url }), /Authorization/)
    }))

  test('a file of credentials is sent to a server that asks for one', () => {
    const { config, credsOf } = operated()
    return against(config, async (url) => {
      const [creds, forged] = [join(folder, 'user.creds'), join(folder, 'forged.creds')]
      writeFileSync(creds, credsOf('account'))
      writeFileSync(forged, credsOf('user'))
      assert.is(await asked({ url, creds }), 'taken')
      assert.match(await asked({ url, creds: forged }), /Authorization/)
      assert.match(await asked({ url }), /Authorization/)
    })
  })

  const openssl = programPath('OPENSSL', ['/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl'])
  if (openssl === undefined) console.log('not run: TLS needs openssl, to make a certificate')
  else {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    const config = `tls { cert_file: "${cert}", key_file: "${key}" }`

    test.before(() => {
      const name = ['-subj', '/CN=bourse', '-addext', 'subjectAltName=IP:127.0.0.1']
      const what = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', ...name]
      execFileSync(openssl, ['req', '-x509', ...what, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    })

    test('a connection uses TLS if the certificate of the server is trusted', () =>
      against(config, async (url) => {
        assert.is(await asked({ url, ca: cert }), 'taken')
        assert.is(await asked({ url: new URL(`tls://${url.host}`), ca: cert }), 'taken')
        assert.match(await asked({ url: new URL(`tls://${url.host}`) }), /certificate/)
        const missing = join(folder, 'none.pem')
        assert.match(await asked({ url, ca: missing }), /cannot read .*: no such file/)
      }))

    test('hosts, and a run with actors on them, also use TLS', () =>
      against(config, async (url) => {
        const hosts = new HostProcesses(['--ca', cert])
        try {
          hosts.start(url, 'h1', 'h2')
          await hosts.ready()
          const market = [
            '--time',
            'real',
            '--scale',
            '2',
            '--tasks',
            '4',
            '--secret',
            SECRET_FILE,
            '--nats',
            String(url),
            '--hosts',
            'h1,h2',
          ]
          const trusting = await runScenario('bidding/market', [...market, '--ca', cert])
          assert.is(trusting.code, 0, trusting.stderr)
          assert.match(trusting.stdout, /^ok /m)
          const doubting = await runScenario('bidding/market', [
            ...market.slice(0, -3),
            `tls://${url.host}`,
            ...market.slice(-2),
          ])
          assert.is(doubting.code, 2)
          assert.match(doubting.stderr, /cannot use the NATS server of --nats at [^\n]*certificate[^\n]*\n$/)
        } finally {
          await hosts.end()
        }
      }))
  }

  test.run()
}

/** The configuration of a server with an operator, and credentials that the account or the user itself has signed. */
function operated() {
  const [operator, user] = [nkeys.createOperator(), nkeys.createUser()]
  // JetStream needs a system account of its own
  const [account, system] = [nkeys.createAccount(), nkeys.createAccount()]
  const nameOf = (pair: nkeys.KeyPair) => pair.getPublicKey()
  const limits = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1, wildcards: true }
  const ofOperator = signed(operator, nameOf(operator), { type: 'operator' })
  const known = [account, system].map((pair) => {
    const jwt = signed(operator, nameOf(pair), { type: 'account', limits })
    return `${nameOf(pair)}: ${jwt}`
  })
  const config = [
    `operator: ${ofOperator}`,
    `system_account: ${nameOf(system)}`,
    'resolver: MEMORY',
    `resolver_preload: { ${known.join(', ')} }`,
  ].join('\n')
  const credsOf = (by: 'account' | 'user'): string => {
    const claims = { type: 'user', pub: {}, sub: {}, subs: -1, data: -1, payload: -1 }
    const jwt = signed(by === 'account' ? account : user, nameOf(user), claims)
    const seed = new TextDecoder().decode(user.getSeed())
    return `${block('NATS USER JWT', jwt)}\n${block('USER NKEY SEED', seed)}`
  }
  return { config, credsOf }
}

const block = (of: string, text: string): string => `-----BEGIN ${of}-----\n${text}\n------END ${of}------\n`

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Makes a JSON web token of NATS. */
function signed(issuer: nkeys.KeyPair, subject: string, nats: object): string {
  const claims = { jti: subject, iat: 0, iss: issuer.getPublicKey(), name: 'test', sub: subject }
  const head = encoded({ typ: 'JWT', alg: 'ed25519-nkey' })
  const body = `${head}.${encoded({ ...claims, nats: { ...nats, version: 2 } })}`
  return `${body}.${Buffer.from(issuer.sign(new TextEncoder().encode(body))).toString('base64url')}`
}
