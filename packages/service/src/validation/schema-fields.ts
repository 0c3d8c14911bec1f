import type * as z from "zod";

/** The names of the fields that an object may have at a path into a schema; none where that cannot be said. */
export function listFieldsAt(schema: z.ZodType, path: readonly (string | number)[]): readonly string[] {
	let parts: readonly z.core.$ZodType[] = [schema];
	for (const key of path) parts = parts.flatMap((part) => enter(part, key));
	return [...new Set(parts.flatMap(unwrap).flatMap((part) => Object.keys(shapeOf(part))))];
}

function enter(schema: z.core.$ZodType, key: string | number): readonly z.core.$ZodType[] {
	return unwrap(schema).flatMap((part) => {
		const { def } = (part as z.core.$ZodTypes)._zod;
		if (def.type === "array") return [def.element];
		if (def.type === "record") return [def.valueType];
		return shapeOf(part)[key] ?? [];
	});
}

/** A schema without what makes it optional, and each variant of a union. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
	const { def } = (schema as z.core.$ZodTypes)._zod;
	if (def.type === "union") return def.options.flatMap(unwrap);
	if (def.type === "pipe") return unwrap(def.in);
	return "innerType" in def ? unwrap(def.innerType) : [schema];
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> {
	const { def } = (schema as z.core.$ZodTypes)._zod;
	return def.type === "object" ? def.shape : {};
}
