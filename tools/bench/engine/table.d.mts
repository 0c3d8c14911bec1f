/** A Markdown table with its columns aligned, so that it reads well in a terminal too. */
export declare function toTable(headings: readonly string[], rows: readonly (readonly string[])[]): string;
