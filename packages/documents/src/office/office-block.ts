import type { OriginalPlace } from "../original-place";

/** Cell of a table in an office file. */
export interface OfficeCell {
	readonly text: string;
	/** Number of columns that it spans. */
	readonly columns: number;
	/** Set where the cell above goes on in this one. */
	readonly continuesAbove?: boolean;
}

export interface OfficeRow {
	readonly cells: readonly OfficeCell[];
	/** Set where the file says that the row names the columns. */
	readonly isHeader: boolean;
}

/** Part of an office file in reading order: what its reader understood of it. */
export type OfficeBlock = (
	| {
			readonly kind: "heading";
			/** 0 is the title of the document, 1 the highest heading in it. */
			readonly level: number;
			readonly text: string;
	  }
	| { readonly kind: "paragraph"; readonly text: string }
	| {
			readonly kind: "item";
			/** 0 is the outermost list. */
			readonly level: number;
			/** Number or bullet, without a blank. */
			readonly mark: string;
			readonly text: string;
	  }
	| { readonly kind: "table"; readonly rows: readonly OfficeRow[]; readonly caption?: string | undefined }
) & { readonly place?: OriginalPlace | undefined };
