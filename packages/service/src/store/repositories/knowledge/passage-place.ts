import type { Place } from "@stemma/core";
import type { FilePlace } from "@stemma/documents";
import { type JsonColumn, parseColumn } from "../../json-column";

/** Columns of a passage that hold its place. */
export interface PlaceColumns {
	readonly page: number | null;
	readonly heading: string | null;
	readonly start_offset: number;
	readonly end_offset: number;
	/** JSON; null where the page says all that is known of the place in the file. */
	readonly file_place: JsonColumn<FilePlace> | null;
}

/** Converts a place to its columns, for `INSERT`. */
export function toPlaceColumns({ page, heading, start, end, ...filePlace }: Place): PlaceColumns {
	const isTextOnly = Object.keys(filePlace).length === 0;
	return {
		page: page ?? null,
		heading: heading ?? null,
		start_offset: start,
		end_offset: end,
		file_place: isTextOnly ? null : JSON.stringify(filePlace),
	};
}

export const parsePlace = (row: PlaceColumns): Place => ({
	...(row.page !== null && { page: row.page }),
	...(row.file_place !== null && parseColumn(row.file_place)),
	...(row.heading !== null && { heading: row.heading }),
	start: row.start_offset,
	end: row.end_offset,
});
