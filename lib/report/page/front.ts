/** The script of a page without runs. */
import { enhance } from './enhance.ts'

enhance(document)
