/**
 * Returns the prefix of inference profiles for the region they are called in: `us-`, `eu-`, `ap-`. Undefined in all
 * other regions.
 */
export function toProfilePrefix(region: string | undefined): "us" | "eu" | "apac" | undefined {
	const [, area] = /^(us|eu|ap)-(?!gov)/.exec(region ?? "") ?? [];
	return area === "ap" ? "apac" : (area as "us" | "eu" | undefined);
}

/**
 * The id for the region's own geography, where the model's prefix is that of another: `us.`, `eu.` and `apac.` are for
 * regions that begin with `us-`, `eu-` and `ap-`. Undefined where it fits, or cannot be told from the id.
 *
 * @param region - of the endpoint; undefined: nothing is checked.
 */
export function correctProfilePrefix(model: string, region: string | undefined): string | undefined {
	const [, prefix, rest] = /^(us|eu|apac)(\..+)/.exec(model) ?? [];
	const expected = toProfilePrefix(region);
	return prefix === undefined || expected === undefined || prefix === expected ? undefined : expected + rest;
}
