// One canvas with its bytes: points are written into them and shown at once.

import type { Target } from './pixels';

export class Screen implements Target {
  readonly canvas = document.createElement('canvas');
  pixels = new Uint32Array(0);
  width = 0;
  height = 0;
  private context: CanvasRenderingContext2D | null = null;
  private image: ImageData | null = null;

  // resize makes room for so many pixels; bytes are only allocated for another size.
  resize(width: number, height: number): void {
    if (this.image && width === this.width && height === this.height) return;
    this.canvas.width = this.width = Math.max(width, 1);
    this.canvas.height = this.height = Math.max(height, 1);
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.image = new ImageData(this.width, this.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
  }

  show(): void {
    if (this.context && this.image) this.context.putImageData(this.image, 0, 0);
  }
}
