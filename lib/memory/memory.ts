/** Makes the mail of systems. */

import { Board, type BoardSize } from './layout.ts'
import { LocalMail } from './local-mail.ts'
import type { Mail } from './mail.ts'
import { SharedMail } from './shared-mail.ts'

/** The mail of a system, in memory of its own. */
export const mailOf = (size: BoardSize, shared: boolean): Mail =>
  shared ? new SharedMail(Board.create(size, true)) : new LocalMail(Board.createBare(size))
