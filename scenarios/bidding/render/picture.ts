/**
 * The Mandelbrot set in tiles. Rendering is a pure function that uses only sums, products and integers. These are the
 * same on every machine, so two renderings can be compared byte for byte.
 */

/** The size of a picture or tile in pixels. */
export type Size = { readonly width: number; readonly height: number }

/** A part of a picture, in pixels from its upper left corner. */
export type Tile = Size & { readonly x: number; readonly y: number }

/** The pixels of a picture, row by row, each with 3 bytes: red, green, blue. */
export type Pixels = Uint8Array

/** The centre of the picture in the complex plane: spirals whose tiles differ much in work. */
const CENTRE = { re: -0.743_643_135, im: 0.131_825_963 }
/** The width of the picture in the complex plane. */
const WIDTH = 0.000_25
const ITERATIONS_MAX = 3000
/** The number of samples per pixel in either direction. */
const SAMPLES = 4

type Colour = readonly [red: number, green: number, blue: number]

const BLACK: Colour = [0, 0, 0]
/** The main colours, at equal distances in the cycle of colours. */
const STOPS: readonly Colour[] = [
  [0, 7, 100],
  [32, 107, 203],
  [237, 255, 255],
  [255, 170, 0],
  [60, 10, 20],
]
/** The number of steps from one main colour to the next. */
const BETWEEN = 40

const COLOURS: readonly Colour[] = STOPS.flatMap((from, i) => {
  const to = STOPS[(i + 1) % STOPS.length] ?? from
  const mix = (a: number, b: number, n: number) => Math.floor((a * (BETWEEN - n) + b * n) / BETWEEN)
  const between = (n: number): Colour => [mix(from[0], to[0], n), mix(from[1], to[1], n), mix(from[2], to[2], n)]
  return Array.from({ length: BETWEEN }, (_, n) => between(n))
})

/** Cuts a picture into tiles, `across` in either direction, row by row; some may be a pixel larger than others. */
export function tilesOf({ width, height }: Size, across: number): Tile[] {
  const cut = (length: number, i: number) => Math.floor((length * i) / across)
  return Array.from({ length: across * across }, (_, n) => {
    const [row, column] = [Math.floor(n / across), n % across]
    const [x, y] = [cut(width, column), cut(height, row)]
    return { x, y, width: cut(width, column + 1) - x, height: cut(height, row + 1) - y }
  })
}

/** Renders one tile of a picture: the work of a task. */
export function render({ width, height }: Size, tile: Tile): Pixels {
  const pixels = new Uint8Array(3 * tile.width * tile.height)
  const step = WIDTH / (width * SAMPLES)
  let at = 0
  for (let y = tile.y; y < tile.y + tile.height; y++) {
    for (let x = tile.x; x < tile.x + tile.width; x++) {
      let [red, green, blue] = [0, 0, 0]
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const re = CENTRE.re + ((x - width / 2) * SAMPLES + (sample % SAMPLES)) * step
        const im = CENTRE.im + ((height / 2 - y) * SAMPLES - Math.floor(sample / SAMPLES)) * step
        const n = stepsToLeave(re, im)
        if (n === ITERATIONS_MAX) continue // inside: black
        const colour = COLOURS[n % COLOURS.length] ?? BLACK
        red += colour[0]
        green += colour[1]
        blue += colour[2]
      }
      pixels[at++] = Math.floor(red / (SAMPLES * SAMPLES))
      pixels[at++] = Math.floor(green / (SAMPLES * SAMPLES))
      pixels[at++] = Math.floor(blue / (SAMPLES * SAMPLES))
    }
  }
  return pixels
}

/** The number of steps after which z -> z^2 + c leaves the circle of radius 2. */
function stepsToLeave(re: number, im: number): number {
  let [x, y, n] = [0, 0, 0]
  for (let [xx, yy] = [0, 0]; xx + yy <= 4 && n < ITERATIONS_MAX; n++) {
    y = 2 * x * y + im
    x = xx - yy + re
    xx = x * x
    yy = y * y
  }
  return n
}

/** Puts the pixels of a tile into a picture. */
export function place(picture: Pixels, { width }: Size, tile: Tile, pixels: Pixels): void {
  for (let row = 0; row < tile.height; row++) {
    const line = pixels.subarray(3 * row * tile.width, 3 * (row + 1) * tile.width)
    picture.set(line, 3 * ((tile.y + row) * width + tile.x))
  }
}

/** The number of pixels that differ between two pictures. */
export function difference(one: Pixels, other: Pixels): number {
  let differing = 0
  for (let at = 0; at < Math.max(one.length, other.length); at += 3) {
    if (one[at] !== other[at] || one[at + 1] !== other[at + 1] || one[at + 2] !== other[at + 2]) differing++
  }
  return differing
}
