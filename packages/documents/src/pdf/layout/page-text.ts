/** Rectangle in points; `y` grows downwards, `x` in the direction of the text. */
export interface Rectangle {
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
}

/** Clockwise turn of a text against the page as shown. */
export type Angle = 0 | 90 | 180 | 270;

/** Text of one font on one line, as the library gives it. */
export interface TextItem extends Rectangle {
	readonly text: string;
	readonly fontSize: number;
	readonly isBold: boolean;
	readonly isMonospaced: boolean;
	readonly isRightToLeft: boolean;
}

/** Text of one direction on a page, in coordinates that are turned with the text: it reads from left to right. */
export interface DirectedText {
	readonly angle: Angle;
	readonly items: readonly TextItem[];
}

export interface PageText {
	/** Number of the page, from 1. */
	readonly page: number;
	/** Size as shown, in points. */
	readonly width: number;
	readonly height: number;
	/** Directions with text, the one with the most text first. */
	readonly directions: readonly DirectedText[];
}

export const rightOf = ({ x, width }: Rectangle): number => x + width;
export const bottomOf = ({ y, height }: Rectangle): number => y + height;

/** Smallest rectangle around others. */
export function surround(rectangles: readonly Rectangle[]): Rectangle {
	let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
	for (const rectangle of rectangles) {
		left = Math.min(left, rectangle.x);
		top = Math.min(top, rectangle.y);
		right = Math.max(right, rightOf(rectangle));
		bottom = Math.max(bottom, bottomOf(rectangle));
	}
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Checks whether two rectangles share half of the height of the lower one: they are on one line. */
export function isOnOneLine(one: Rectangle, other: Rectangle): boolean {
	const shared = Math.min(bottomOf(one), bottomOf(other)) - Math.max(one.y, other.y);
	return shared > Math.min(one.height, other.height) / 2;
}

/** Median of numbers; 0 where there are none. */
export function medianOf(numbers: readonly number[]): number {
	const sorted = [...numbers].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Value with the largest weight; the fallback where there is none. */
export function heaviestOf(weights: ReadonlyMap<number, number>, fallback: number): number {
	let heaviest = fallback;
	let largest = 0;
	for (const [value, weight] of weights) if (weight > largest) [heaviest, largest] = [value, weight];
	return heaviest;
}
