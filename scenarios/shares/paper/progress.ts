/**
 * Three parallel jobs with tickets 1:2:3: barriers passed and processor time used by the second and third for each of the
 * first, and the slowdown of all three against gang scheduling; as the same model converges in long runs (60 s after 10 s
 * of warm-up, means of 5 seeds). The paper measured 1 : 1.8 : 2.7 with barriers every 10 ms (section 5.2).
 */
import { DEFAULTS, type Parameters, SPINS } from './parameters.ts'
import type { Tolerated } from './slowdown.ts'

/** Of the second and the third job, per barrier of the first. */
export const PAPER = [1.8, 2.7] as const

export interface Progress {
  /** What differs from the defaults. */
  readonly varied: Partial<Parameters>
  readonly parameters: Parameters
  readonly progress: readonly [Tolerated, Tolerated]
  /** Processor time, per that of the first. */
  readonly cpu: readonly [number, number]
  readonly slowdown: Tolerated
}

const row = (
  varied: Partial<Parameters>,
  second: Tolerated,
  third: Tolerated,
  cpu: readonly [number, number],
  slowdown: Tolerated,
): Progress => ({ varied, parameters: { ...DEFAULTS, ...varied }, progress: [second, third], cpu, slowdown })

export const PROGRESS: readonly Progress[] = [
  row({}, [1.788, 0.143], [3.032, 0.243], [1.768, 2.937], [1.076, 0.05]),
  row({ nodes: 2 }, [1.957, 0.157], [3, 0.24], [1.95, 2.972], [1.023, 0.05]),
  row({ nodes: 4 }, [1.916, 0.153], [3.073, 0.246], [1.888, 2.992], [1.049, 0.05]),
  row({ nodes: 8 }, [1.878, 0.15], [3.126, 0.25], [1.849, 3.031], [1.058, 0.05]),
  row({ nodes: 16 }, [1.851, 0.148], [3.106, 0.248], [1.826, 3.007], [1.067, 0.05]),
  row({ nodes: 64 }, [1.785, 0.143], [3.03, 0.242], [1.771, 2.937], [1.084, 0.05]),
  row({ granularity: 1 }, [1.943, 0.296], [2.997, 0.656], [1.915, 2.922], [1.04, 0.05]),
  row({ granularity: 5 }, [1.998, 0.168], [3.296, 0.264], [1.933, 3.132], [1.059, 0.05]),
  row({ granularity: 50 }, [1.912, 0.153], [2.847, 0.228], [1.928, 2.907], [1.075, 0.05]),
  row({ imbalance: 0, spin: SPINS.switches }, [1.832, 0.147], [2.89, 0.231], [1.821, 2.861], [1.027, 0.05]),
  row({ imbalance: 0.1, spin: SPINS.switches }, [1.639, 0.131], [2.398, 0.192], [1.631, 2.381], [1.013, 0.05]),
  row(
    { imbalance: 0.1, spin: { switches: 5, spread: 0.5 } },
    [1.792, 0.143],
    [2.964, 0.237],
    [1.779, 2.919],
    [1.033, 0.05],
  ),
  row({ imbalance: 0.1 }, [1.81, 0.145], [3, 0.24], [1.794, 2.929], [1.053, 0.05]),
  row(
    { imbalance: 0.1, spin: { switches: 5, spread: 1.5 } },
    [1.802, 0.144],
    [3.052, 0.244],
    [1.781, 2.95],
    [1.074, 0.05],
  ),
  row(
    { imbalance: 0.1, spin: { switches: 5, spread: 2 } },
    [1.816, 0.145],
    [3.054, 0.244],
    [1.796, 2.94],
    [1.096, 0.05],
  ),
  row({ imbalance: 0.5, spin: SPINS.switches }, [1.521, 0.122], [2.004, 0.16], [1.514, 1.992], [0.933, 0.05]),
  row(
    { imbalance: 0.5, spin: { switches: 5, spread: 0.5 } },
    [1.689, 0.135],
    [2.594, 0.208],
    [1.688, 2.577],
    [1.041, 0.05],
  ),
  row({ imbalance: 0.5 }, [1.767, 0.141], [2.998, 0.24], [1.763, 2.891], [1.145, 0.05]),
  row(
    { imbalance: 0.5, spin: { switches: 5, spread: 1.5 } },
    [1.75, 0.14],
    [2.91, 0.233],
    [1.783, 2.827],
    [1.278, 0.05],
  ),
  row(
    { imbalance: 0.5, spin: { switches: 5, spread: 2 } },
    [1.794, 0.144],
    [2.867, 0.229],
    [1.854, 2.864],
    [1.422, 0.055],
  ),
  row({ imbalance: 1, spin: SPINS.switches }, [1.471, 0.118], [1.926, 0.154], [1.465, 1.916], [0.863, 0.05]),
  row(
    { imbalance: 1, spin: { switches: 5, spread: 0.5 } },
    [1.689, 0.135],
    [2.519, 0.202],
    [1.708, 2.541],
    [1.051, 0.05],
  ),
  row({ imbalance: 1 }, [1.761, 0.141], [2.777, 0.222], [1.831, 2.861], [1.242, 0.05]),
  row(
    { imbalance: 1, spin: { switches: 5, spread: 1.5 } },
    [1.838, 0.147],
    [2.808, 0.225],
    [1.941, 2.987],
    [1.393, 0.054],
  ),
  row(
    { imbalance: 1, spin: { switches: 5, spread: 2 } },
    [1.812, 0.145],
    [2.725, 0.218],
    [1.974, 3.015],
    [1.48, 0.059],
  ),
  row({ latency: 0.005 }, [1.833, 0.147], [3.088, 0.247], [1.811, 2.989], [1.076, 0.05]),
  row({ latency: 0.1 }, [1.787, 0.143], [2.95, 0.236], [1.774, 2.875], [1.077, 0.05]),
  row({ latency: 1 }, [1.481, 0.118], [2.211, 0.177], [1.512, 2.289], [1.067, 0.05]),
  row({ switching: 0.01 }, [1.8, 0.144], [3.061, 0.245], [1.792, 3.008], [1.049, 0.05]),
  row({ switching: 0.05 }, [1.778, 0.142], [3.016, 0.241], [1.768, 2.949], [1.061, 0.05]),
  row({ switching: 0.2 }, [1.837, 0.156], [3.117, 0.249], [1.807, 2.972], [1.106, 0.05]),
  row({ switching: 0.5 }, [1.825, 0.146], [3.171, 0.254], [1.772, 2.898], [1.2, 0.05]),
  row({ quantum: 10 }, [1.744, 0.14], [2.821, 0.226], [1.783, 2.89], [1.094, 0.05]),
  row({ quantum: 100 }, [1.943, 0.155], [3.165, 0.253], [1.928, 3.124], [1.016, 0.05]),
  row({ quantum: 5 }, [1.833, 0.147], [2.758, 0.221], [1.837, 2.79], [1.109, 0.05]),
  row({ quantum: 50 }, [2.036, 0.163], [3.294, 0.264], [1.995, 3.196], [1.033, 0.05]),
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: measured
  row({ spin: SPINS.block, credit: 'none' }, [1.414, 0.113], [1.645, 0.132], [1.41, 1.64], [0.958, 0.05]),
  row({ spin: SPINS.block }, [1.484, 0.119], [1.786, 0.143], [1.477, 1.776], [0.966, 0.05]),
  row({ spin: SPINS.endless, credit: 'none' }, [1.57, 0.126], [3.506, 0.28], [2, 3], [1.665, 0.07]),
  row({ spin: SPINS.endless }, [1.57, 0.126], [3.506, 0.28], [2, 3], [1.665, 0.07]),
  row({ spin: SPINS.switches, credit: 'none' }, [1.417, 0.113], [1.697, 0.136], [1.416, 1.694], [0.992, 0.05]),
  row({ spin: SPINS.switches }, [1.589, 0.127], [2.166, 0.173], [1.582, 2.154], [0.991, 0.05]),
  row({ spin: SPINS.switch, credit: 'none' }, [1.408, 0.113], [1.662, 0.133], [1.406, 1.657], [0.967, 0.05]),
  row({ spin: SPINS.switch }, [1.501, 0.12], [1.865, 0.149], [1.494, 1.854], [0.972, 0.05]),
  row({ spin: { switches: 5, spread: 0.5 } }, [1.728, 0.138], [2.698, 0.248], [1.718, 2.666], [1.037, 0.05]),
  row({ spin: { switches: 5, spread: 1.5 } }, [1.811, 0.145], [3.103, 0.248], [1.794, 2.962], [1.12, 0.05]),
  row({ spin: { switches: 5, spread: 2 } }, [1.811, 0.145], [3.148, 0.252], [1.797, 2.97], [1.166, 0.05]),
  row({ credit: 'none' }, [1.468, 0.117], [1.755, 0.14], [1.479, 1.775], [1.131, 0.05]),
  row({ catchUp: 0.5 }, [2.047, 0.164], [3.007, 0.292], [2.005, 2.927], [1.068, 0.05]),
  row({ catchUp: 2 }, [1.594, 0.128], [2.343, 0.187], [1.605, 2.331], [1.108, 0.05]),
  row({ catchUp: 4 }, [1.505, 0.12], [1.976, 0.158], [1.517, 2], [1.129, 0.05]),
  row({ cap: 60 }, [1.648, 0.132], [2.094, 0.168], [1.652, 2.104], [1.11, 0.05]),
  row({ cap: 80 }, [1.771, 0.142], [2.591, 0.232], [1.76, 2.548], [1.086, 0.05]),
  row({ cap: 99 }, [1.777, 0.148], [3.153, 0.252], [1.759, 3.049], [1.075, 0.05]),
  row({ competing: 'active' }, [1.895, 0.152], [2.979, 0.238], [1.88, 2.922], [1.079, 0.05]),
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: measured
  row({ preempt: false }, [1.962, 0.172], [3.141, 0.251], [1.963, 3.136], [1.126, 0.05]),
  row({ preempt: false, credit: 'none' }, [1.555, 0.124], [1.778, 0.148], [1.563, 1.794], [1.131, 0.05]),
  row({ clamp: true }, [1.844, 0.148], [3.091, 0.247], [1.816, 2.989], [1.074, 0.05]),
]
