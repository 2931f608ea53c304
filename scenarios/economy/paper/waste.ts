/** S of ECON over S of RES at load 0.9, as the model converges: an offer is divided by wasted time, too, or is not. */
export const CHARGED = 0.6533
export const UNCHARGED = 0.6291
