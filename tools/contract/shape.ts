/** What a value of a declared type must look like when it comes over the wire. */
export interface Shape<out Value> {
	/** What is wrong, each with its path; empty when nothing is. */
	check(value: unknown, path: string): readonly string[];
	/** Never there: makes `text` no shape of a number. */
	readonly of?: Value;
}

/** The same, for a field that may be missing. */
export interface OptionalShape<out Value> extends Shape<Value> {
	readonly isOptional: true;
}

/** A shape for each field that is declared, and for no other; optional exactly where the type says so. */
export type Fields<Type> = {
	readonly [Key in keyof Type]-?: object extends Pick<Type, Key>
		? OptionalShape<Type[Key]>
		: Shape<Type[Key]> & { readonly isOptional?: never };
};

const shape = <Value>(name: string, fits: (value: unknown) => boolean): Shape<Value> => ({
	check: (value, path) => (fits(value) ? [] : [`${path} is ${JSON.stringify(value)}, and no ${name}`]),
});

export const text = shape<string>("text", (value) => typeof value === "string");
export const number = shape<number>("number", (value) => typeof value === "number");
export const flag = shape<boolean>("boolean", (value) => typeof value === "boolean");
/** RFC 3339, UTC. */
export const time = shape<string>("time", (value) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(value)));
/** Whatever JSON its owner put there. */
export const json = shape<never>("JSON", (value) => value !== undefined);

export const id = (prefix: string): Shape<string> =>
	shape(`id ${prefix}_…`, (value) => String(value).startsWith(`${prefix}_`));

export const oneOf = <const Value extends string | boolean | null>(
	...values: readonly Value[]
): Shape<Value> => shape(values.join(" or "), (value) => values.some((one) => one === value));

export const nullable = <Value>({ check }: Shape<Value>): Shape<Value | null> => ({
	check: (value, path) => (value === null ? [] : check(value, path)),
});

export const optional = <Value>({ check }: Shape<Value>): OptionalShape<Value> => ({
	isOptional: true,
	check: (value, path) => (value === undefined ? [] : check(value, path)),
});

/** One shape or the other. */
export const either = <First, Second>(first: Shape<First>, second: Shape<Second>): Shape<First | Second> => ({
	check(value, path) {
		const problems = first.check(value, path);
		return problems.length === 0 || second.check(value, path).length === 0 ? [] : problems;
	},
});

/** At least one, so that what is in it is looked at. */
export const list = <Item>(item: Shape<Item>): Shape<readonly Item[]> => ({
	check(value, path) {
		if (!Array.isArray(value) || value.length === 0) return [`${path} is no list with something in it`];
		return value.flatMap((one, index) => item.check(one, `${path}[${index}]`));
	},
});

/** With these fields; others are ignored: what OpenAI's clients expect is more than ours does. */
export const part = <Type extends object>(fields: Fields<Type>): Shape<Type> => ({
	check: (value, path) =>
		typeof value !== "object" || value === null
			? [`${path} is no object`]
			: Object.entries<Shape<unknown>>(fields).flatMap(([key, field]) =>
					field.check((value as Record<string, unknown>)[key], `${path}.${key}`),
				),
});

/** With these fields and no others. */
export const object = <Type extends object>(fields: Fields<Type>): Shape<Type> => ({
	check: (value, path) => [
		...part(fields).check(value, path),
		...Object.keys(Object(value))
			.filter((key) => !(key in fields))
			.map((key) => `${path}.${key} is not declared`),
	],
});
