/** What a member of the vendor's requests may hold, with the vendor's own limits. */
export type Shape =
	| TextShape
	| NumberShape
	| { readonly kind: "boolean" }
	| { readonly kind: "document" }
	| { readonly kind: "list"; readonly of: Shape; readonly minLength: number }
	| { readonly kind: "map"; readonly of: Shape }
	| StructureShape
	| UnionShape;

export interface TextShape {
	readonly kind: "text";
	/** The whole text must match. */
	readonly pattern?: string;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly oneOf?: readonly string[];
}

export interface NumberShape {
	readonly kind: "number";
	readonly isInteger?: boolean;
	readonly from?: number;
	readonly to?: number;
}

export interface StructureShape {
	readonly kind: "structure";
	readonly members: Readonly<Record<string, Shape>>;
	readonly required: readonly string[];
}

/** Exactly one of its members is set. */
export interface UnionShape {
	readonly kind: "union";
	readonly name: string;
	readonly members: Readonly<Record<string, Shape>>;
}

type Members = Readonly<Record<string, Shape>>;

export const boolean: Shape = { kind: "boolean" };
/** Any JSON. */
export const document: Shape = { kind: "document" };
export const text = (limits: Omit<TextShape, "kind"> = {}): TextShape => ({ kind: "text", ...limits });
export const number = (limits: Omit<NumberShape, "kind"> = {}): NumberShape => ({
	kind: "number",
	...limits,
});
export const oneOf = (...values: readonly string[]): TextShape => text({ oneOf: values });
export const listOf = (of: Shape, minLength = 0): Shape => ({ kind: "list", of, minLength });
export const mapOf = (of: Shape): Shape => ({ kind: "map", of });
/** Members whose names end in `!` are required; the mark is no part of the name. */
export const structure = (marked: Members): StructureShape => ({
	kind: "structure",
	members: Object.fromEntries(Object.entries(marked).map(([name, shape]) => [name.replace("!", ""), shape])),
	required: Object.keys(marked).flatMap((name) => (name.endsWith("!") ? [name.slice(0, -1)] : [])),
});
export const union = (name: string, members: Members): UnionShape => ({ kind: "union", name, members });
