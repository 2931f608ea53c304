/** The market as a library: its actors, and its scenario with the model that it runs. */
export * from '../../actors/bidding/index.ts'
export { biddingMarket } from './market.ts'
export { type Market, type MarketTask, type Protocol, termsOf } from './model.ts'
export { flowsOf } from './results.ts'
