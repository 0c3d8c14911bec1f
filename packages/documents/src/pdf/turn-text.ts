import type { Angle, Rectangle } from "./layout/page-text";

/** Affine transformation as in PDF: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Product of two matrices: the second is applied first. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
	const [a, b, c, d, e, f] = outer;
	const [ia, ib, ic, id, ie, jf] = inner;
	return [
		a * ia + c * ib,
		b * ia + d * ib,
		a * ic + c * id,
		b * ic + d * id,
		a * ie + c * jf + e,
		b * ie + d * jf + f,
	];
}

/** Direction in which a matrix writes on the page as shown, to the nearest quarter. */
export function toAngle([a, b]: Matrix): Angle {
	if (Math.abs(a) >= Math.abs(b)) return a >= 0 ? 0 : 180;
	return b > 0 ? 90 : 270;
}

/** Turns a point of the page back, so that text of an angle reads from left to right. */
export function turnPoint(angle: Angle, x: number, y: number): readonly [x: number, y: number] {
	if (angle === 0) return [x, y];
	if (angle === 90) return [y, -x];
	return angle === 180 ? [-x, -y] : [-y, x];
}

/** Rectangle on the page as shown, for one in the coordinates of turned text. */
export function turnBack(angle: Angle, { x, y, width, height }: Rectangle): Rectangle {
	if (angle === 0) return { x, y, width, height };
	if (angle === 90) return { x: -y - height, y: x, width: height, height: width };
	if (angle === 180) return { x: -x - width, y: -y - height, width, height };
	return { x: y, y: -x - width, width: height, height: width };
}
