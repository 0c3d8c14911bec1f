import type { Place } from "@stemma/client";
import type { PageSize } from "./open-pdf";

/** Box of a place on its page. */
export type PageBox = NonNullable<Place["boxes"]>[number];

/** Place of a mark on the picture of a page, in parts of its width and height. */
export type MarkStyle = Readonly<Record<"left" | "top" | "width" | "height", string>>;

/** Points that a mark is wider than its box on each side, so that no letter touches its edge. */
const MARGIN = 1.5;

/** Marks of one page. Boxes that reach beyond the page are of another file: they are left out. */
export function toMarkStyles(boxes: readonly PageBox[], page: number, size: PageSize): readonly MarkStyle[] {
	const toShare = (points: number, all: number) => `${((100 * points) / all).toFixed(3)}%`;
	return boxes
		.filter((box) => box.page === page && isInside(box, size))
		.map(({ x, y, width, height }) => ({
			left: toShare(x - MARGIN, size.width),
			top: toShare(y - MARGIN, size.height),
			width: toShare(width + 2 * MARGIN, size.width),
			height: toShare(height + 2 * MARGIN, size.height),
		}));
}

const isInside = ({ x, y, width, height }: PageBox, size: PageSize): boolean =>
	x >= -1 && y >= -1 && x + width <= size.width + 1 && y + height <= size.height + 1;

/** Page to show first: that of the first box, else that of the place, else the first one. */
export const toFirstPage = ({ page, boxes = [] }: Pick<Place, "page" | "boxes">): number =>
	boxes[0]?.page ?? page ?? 1;
