/**
 * Folding on 16x16, worked out beforehand: the cells of each level, a whole script, rotations. A ring as `job size
 * rectangle`.
 */

/** The cells of each level, in the order of the ring. */
export const RINGS: readonly string[] = [
  '0,0 16x16',
  '0,0 8x16 | 8,0 8x16',
  '0,0 8x8 | 0,8 8x8 | 8,8 8x8 | 8,0 8x8',
  '4,0 4x8 | 0,0 4x8 | 0,8 4x8 | 4,8 4x8 | 8,8 4x8 | 12,8 4x8 | 12,0 4x8 | 8,0 4x8',
  '4,4 4x4 | 4,0 4x4 | 0,0 4x4 | 0,4 4x4 | 0,8 4x4 | 0,12 4x4 | 4,12 4x4 | 4,8 4x4 | 8,8 4x4 | 8,12 4x4 | 12,12 4x4 | 12,8 4x4 | 12,4 4x4 | 12,0 4x4 | 8,0 4x4 | 8,4 4x4',
  '2,4 2x4 | 0,4 2x4 | 0,0 2x4 | 2,0 2x4 | 4,0 2x4 | 6,0 2x4 | 8,0 2x4 | 10,0 2x4 | 12,0 2x4 | 14,0 2x4 | 14,4 2x4 | 12,4 2x4 | 10,4 2x4 | 8,4 2x4 | 6,4 2x4 | 4,4 2x4 | 4,8 2x4 | 6,8 2x4 | 8,8 2x4 | 10,8 2x4 | 12,8 2x4 | 14,8 2x4 | 14,12 2x4 | 12,12 2x4 | 10,12 2x4 | 8,12 2x4 | 6,12 2x4 | 4,12 2x4 | 2,12 2x4 | 0,12 2x4 | 0,8 2x4 | 2,8 2x4',
]

/** The 16 cells of level 4 while there are more jobs than that. */
export const PARENT =
  '0,4 4x4 | 0,0 4x4 | 4,0 4x4 | 8,0 4x4 | 12,0 4x4 | 12,4 4x4 | 8,4 4x4 | 4,4 4x4 | 4,8 4x4 | 8,8 4x4 | 12,8 4x4 | 12,12 4x4 | 8,12 4x4 | 4,12 4x4 | 0,12 4x4 | 0,8 4x4'

/** Jobs 1 to 16 arrive, and depart in another order. `exchanges`: `gainer<-giver`, tick by tick. */
export const SCRIPT: readonly { readonly event: string; readonly exchanges: string; readonly ring: string }[] = [
  { event: 'arrive 1', exchanges: '', ring: '1s 0,0 16x16' },
  { event: 'arrive 2', exchanges: '', ring: '1s 0,0 8x16 | 2s 8,0 8x16' },
  { event: 'arrive 3', exchanges: '', ring: '1s 0,0 8x8 | 3s 0,8 8x8 | 2b 8,0 8x16' },
  { event: 'arrive 4', exchanges: '', ring: '1s 0,0 8x8 | 3s 0,8 8x8 | 2s 8,8 8x8 | 4s 8,0 8x8' },
  { event: 'arrive 5', exchanges: '', ring: '1s 4,0 4x8 | 5s 0,0 4x8 | 3b 0,8 8x8 | 2b 8,8 8x8 | 4b 8,0 8x8' },
  {
    event: 'arrive 6',
    exchanges: '',
    ring: '1s 4,0 4x8 | 5s 0,0 4x8 | 3b 0,8 8x8 | 2s 8,8 4x8 | 6s 12,8 4x8 | 4b 8,0 8x8',
  },
  {
    event: 'arrive 7',
    exchanges: '',
    ring: '1s 4,0 4x8 | 5s 0,0 4x8 | 3s 0,8 4x8 | 7s 4,8 4x8 | 2s 8,8 4x8 | 6s 12,8 4x8 | 4b 8,0 8x8',
  },
  {
    event: 'arrive 8',
    exchanges: '',
    ring: '1s 4,0 4x8 | 5s 0,0 4x8 | 3s 0,8 4x8 | 7s 4,8 4x8 | 2s 8,8 4x8 | 6s 12,8 4x8 | 4s 12,0 4x8 | 8s 8,0 4x8',
  },
  {
    event: 'arrive 9',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5b 0,0 4x8 | 3b 0,8 4x8 | 7b 4,8 4x8 | 2b 8,8 4x8 | 6b 12,8 4x8 | 4b 12,0 4x8 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 10',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5b 0,0 4x8 | 3b 0,8 4x8 | 7b 4,8 4x8 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6b 12,8 4x8 | 4b 12,0 4x8 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 11',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5b 0,0 4x8 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7b 4,8 4x8 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6b 12,8 4x8 | 4b 12,0 4x8 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 12',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5b 0,0 4x8 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7b 4,8 4x8 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6b 12,8 4x8 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 13',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5s 0,0 4x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7b 4,8 4x8 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6b 12,8 4x8 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 14',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5s 0,0 4x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7b 4,8 4x8 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14s 12,8 4x4 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 15',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5s 0,0 4x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14s 12,8 4x4 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8b 8,0 4x8',
  },
  {
    event: 'arrive 16',
    exchanges: '',
    ring: '1s 4,4 4x4 | 9s 4,0 4x4 | 5s 0,0 4x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14s 12,8 4x4 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8s 8,0 4x4 | 16s 8,4 4x4',
  },
  {
    event: 'depart 5',
    exchanges: '9<-free',
    ring: '1s 4,4 4x4 | 9b 0,0 8x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14s 12,8 4x4 | 4s 12,4 4x4 | 12s 12,0 4x4 | 8s 8,0 4x4 | 16s 8,4 4x4',
  },
  {
    event: 'depart 12',
    exchanges: '1<-9,4<-free',
    ring: '1b 4,0 4x8 | 9s 0,0 4x4 | 13s 0,4 4x4 | 3s 0,8 4x4 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14s 12,8 4x4 | 4b 12,0 4x8 | 8s 8,0 4x4 | 16s 8,4 4x4',
  },
  {
    event: 'depart 3',
    exchanges: '13<-free,14<-4,16<-1',
    ring: '1s 4,0 4x4 | 9s 0,0 4x4 | 13b 0,4 4x8 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2s 8,8 4x4 | 10s 8,12 4x4 | 6s 12,12 4x4 | 14b 12,4 4x8 | 4s 12,0 4x4 | 8s 8,0 4x4 | 16b 4,4 8x4',
  },
  {
    event: 'depart 16',
    exchanges: '9<-13,6<-14,8<-free ; 1<-9,10<-6,4<-8 ; 2<-10,14<-4,8<-free',
    ring: '1b 0,0 8x4 | 9s 0,4 4x4 | 13s 0,8 4x4 | 11s 0,12 4x4 | 7s 4,12 4x4 | 15s 4,8 4x4 | 2b 8,8 4x8 | 10s 12,12 4x4 | 6s 12,8 4x4 | 14b 12,0 4x8 | 4s 8,0 4x4 | 8b 4,4 8x4',
  },
  {
    event: 'depart 8',
    exchanges: '15<-2,6<-14,4<-free ; 7<-15,10<-6,14<-4 ; 11<-7,2<-10,6<-14,4<-free',
    ring: '1b 0,0 8x4 | 9s 0,4 4x4 | 13s 0,8 4x4 | 11b 0,12 8x4 | 7s 4,8 4x4 | 15s 8,8 4x4 | 2b 8,12 8x4 | 10s 12,8 4x4 | 6b 12,0 4x8 | 14s 8,0 4x4 | 4b 4,4 8x4',
  },
  {
    event: 'depart 1',
    exchanges:
      '13<-11,15<-2,10<-6,14<-4 ; 9<-13,7<-15,2<-10,6<-14,4<-free ; 11<-7,15<-2,10<-6,14<-4 ; 13<-11,7<-15,2<-10,6<-14,4<-free',
    ring: '14s 4,4 4x4 | 4b 0,0 8x4 | 9b 0,4 4x8 | 13b 0,12 8x4 | 11s 4,8 4x4 | 7b 8,8 4x8 | 15s 12,12 4x4 | 2b 12,4 4x8 | 10s 12,0 4x4 | 6b 8,0 4x8',
  },
  {
    event: 'depart 14',
    exchanges: '11<-7,15<-2,10<-6 ; 7<-15,2<-10,6<-free',
    ring: '4b 0,0 8x4 | 9b 0,4 4x8 | 13b 0,12 8x4 | 11b 4,8 8x4 | 7b 8,12 8x4 | 15s 12,8 4x4 | 2b 12,0 4x8 | 10s 8,0 4x4 | 6b 4,4 8x4',
  },
  {
    event: 'depart 10',
    exchanges: '15<-2 ; 2<-free ; realign',
    ring: '4s 4,0 4x8 | 9s 0,0 4x8 | 13s 0,8 4x8 | 11s 4,8 4x8 | 7s 8,8 4x8 | 15s 12,8 4x8 | 2s 12,0 4x8 | 6s 8,0 4x8',
  },
  {
    event: 'depart 2',
    exchanges: '15<-free',
    ring: '4s 4,0 4x8 | 9s 0,0 4x8 | 13s 0,8 4x8 | 11s 4,8 4x8 | 7s 8,8 4x8 | 15b 12,0 4x16 | 6s 8,0 4x8',
  },
  {
    event: 'depart 7',
    exchanges: '11<-free',
    ring: '4s 4,0 4x8 | 9s 0,0 4x8 | 13s 0,8 4x8 | 11b 4,8 8x8 | 15b 12,0 4x16 | 6s 8,0 4x8',
  },
  {
    event: 'depart 15',
    exchanges: '13<-11 ; 9<-13,11<-free ; 4<-9,13<-11 ; 9<-13,11<-free,6<-4',
    ring: '4s 0,0 4x8 | 9b 0,8 8x8 | 13s 8,8 4x8 | 11b 12,0 4x16 | 6b 4,0 8x8',
  },
  {
    event: 'depart 4',
    exchanges: '13<-11 ; 11<-6 ; 6<-free',
    ring: '6s 0,0 8x8 | 9s 0,8 8x8 | 13s 8,8 8x8 | 11s 8,0 8x8',
  },
  { event: 'depart 11', exchanges: '13<-free', ring: '6s 0,0 8x8 | 9s 0,8 8x8 | 13b 8,0 8x16' },
  { event: 'depart 6', exchanges: '9<-13 ; 13<-free ; realign', ring: '9s 0,0 8x16 | 13s 8,0 8x16' },
  { event: 'depart 13', exchanges: '9<-free', ring: '9s 0,0 16x16' },
  { event: 'depart 9', exchanges: '', ring: '' },
]

/**
 * The sizes tick by tick, from the fold after the arrivals of jobs 1 to `jobs`. A stroke separates the rings of a divided
 * fold.
 */
export const ROTATIONS: readonly { readonly jobs: number; readonly order: string; readonly sizes: string }[] = [
  { jobs: 3, order: '1,3,2', sizes: 'ssb sbs bss ssb sbs' },
  { jobs: 5, order: '1,5,3,2,4', sizes: 'ssbbb sbsbb bsbsb bbsbs sbbsb bsbbs sbsbb bsbsb' },
  { jobs: 6, order: '1,5,3/2,6,4', sizes: 'ssb/ssb sbs/sbs bss/bss ssb/ssb sbs/sbs bss/bss' },
  { jobs: 7, order: '1,5,3,7,2,6,4', sizes: 'ssssssb sssssbs ssssbss sssbsss ssbssss sbsssss bssssss ssssssb sssssbs' },
  {
    jobs: 11,
    order: '1,9,5,3,11,7,2,10,6,4,8',
    sizes:
      'ssbssbssbbb sbssbssbsbb bssbssbsbsb bsbssbsbsbs sbssbsbsbsb bssbsbsbsbs ssbsbsbsbsb sbsbsbsbsbs bsbsbsbsbss sbsbsbsbssb bsbsbsbssbs sbsbsbssbsb bsbsbssbsbs sbsbssbsbsb bsbssbsbsbs sbssbsbsbsb bssbsbsbsbs',
  },
]

/** The rings of five jobs, tick by tick. */
export const FIVE: readonly string[] = [
  '1s 4,0 4x8 | 5s 0,0 4x8 | 3b 0,8 8x8 | 2b 8,8 8x8 | 4b 8,0 8x8',
  '1s 4,0 4x8 | 5b 0,0 4x16 | 3s 4,8 4x8 | 2b 8,8 8x8 | 4b 8,0 8x8',
  '1b 0,0 8x8 | 5s 0,8 4x8 | 3b 4,8 8x8 | 2s 12,8 4x8 | 4b 8,0 8x8',
  '1b 0,0 8x8 | 5b 0,8 8x8 | 3s 8,8 4x8 | 2b 12,0 4x16 | 4s 8,0 4x8',
  '1s 0,0 4x8 | 5b 0,8 8x8 | 3b 8,8 8x8 | 2s 12,0 4x8 | 4b 4,0 8x8',
  '4s 4,0 4x8 | 1b 0,0 4x16 | 5s 4,8 4x8 | 3b 8,8 8x8 | 2b 8,0 8x8',
  '4b 0,0 8x8 | 1s 0,8 4x8 | 5b 4,8 8x8 | 3s 12,8 4x8 | 2b 8,0 8x8',
  '4b 0,0 8x8 | 1b 0,8 8x8 | 5s 8,8 4x8 | 3b 12,0 4x16 | 2s 8,0 4x8',
  '4s 0,0 4x8 | 1b 0,8 8x8 | 5b 8,8 8x8 | 3s 12,0 4x8 | 2b 4,0 8x8',
  '2s 4,0 4x8 | 4b 0,0 4x16 | 1s 4,8 4x8 | 5b 8,8 8x8 | 3b 8,0 8x8',
  '2b 0,0 8x8 | 4s 0,8 4x8 | 1b 4,8 8x8 | 5s 12,8 4x8 | 3b 8,0 8x8',
  '2b 0,0 8x8 | 4b 0,8 8x8 | 1s 8,8 4x8 | 5b 12,0 4x16 | 3s 8,0 4x8',
  '2s 0,0 4x8 | 4b 0,8 8x8 | 1b 8,8 8x8 | 5s 12,0 4x8 | 3b 4,0 8x8',
  '3s 4,0 4x8 | 2b 0,0 4x16 | 4s 4,8 4x8 | 1b 8,8 8x8 | 5b 8,0 8x8',
  '3b 0,0 8x8 | 2s 0,8 4x8 | 4b 4,8 8x8 | 1s 12,8 4x8 | 5b 8,0 8x8',
  '3b 0,0 8x8 | 2b 0,8 8x8 | 4s 8,8 4x8 | 1b 12,0 4x16 | 5s 8,0 4x8',
  '3s 0,0 4x8 | 2b 0,8 8x8 | 4b 8,8 8x8 | 1s 12,0 4x8 | 5b 4,0 8x8',
  '5s 4,0 4x8 | 3b 0,0 4x16 | 2s 4,8 4x8 | 4b 8,8 8x8 | 1b 8,0 8x8',
  '5b 0,0 8x8 | 3s 0,8 4x8 | 2b 4,8 8x8 | 4s 12,8 4x8 | 1b 8,0 8x8',
  '5b 0,0 8x8 | 3b 0,8 8x8 | 2s 8,8 4x8 | 4b 12,0 4x16 | 1s 8,0 4x8',
  '5s 0,0 4x8 | 3b 0,8 8x8 | 2b 8,8 8x8 | 4s 12,0 4x8 | 1b 4,0 8x8',
  '1s 4,0 4x8 | 5b 0,0 4x16 | 3s 4,8 4x8 | 2b 8,8 8x8 | 4b 8,0 8x8',
  '1b 0,0 8x8 | 5s 0,8 4x8 | 3b 4,8 8x8 | 2s 12,8 4x8 | 4b 8,0 8x8',
  '1b 0,0 8x8 | 5b 0,8 8x8 | 3s 8,8 4x8 | 2b 12,0 4x16 | 4s 8,0 4x8',
  '1s 0,0 4x8 | 5b 0,8 8x8 | 3b 8,8 8x8 | 2s 12,0 4x8 | 4b 4,0 8x8',
  '4s 4,0 4x8 | 1b 0,0 4x16 | 5s 4,8 4x8 | 3b 8,8 8x8 | 2b 8,0 8x8',
  '4b 0,0 8x8 | 1s 0,8 4x8 | 5b 4,8 8x8 | 3s 12,8 4x8 | 2b 8,0 8x8',
  '4b 0,0 8x8 | 1b 0,8 8x8 | 5s 8,8 4x8 | 3b 12,0 4x16 | 2s 8,0 4x8',
]
