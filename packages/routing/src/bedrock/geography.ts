/**
 * The id for the region's own geography, where the model's prefix is that of another: `us.`, `eu.` and `apac.` are for
 * regions that begin with `us-`, `eu-` and `ap-`. Undefined where it fits, or cannot be told from the id.
 *
 * @param region - of the endpoint; undefined: nothing is checked.
 */
export function correctGeography(model: string, region: string | undefined): string | undefined {
	const [, prefix, rest] = /^(us|eu|apac)(\..+)/.exec(model) ?? [];
	const [, area = ""] = /^(us|eu|ap)-(?!gov)/.exec(region ?? "") ?? [];
	const usual = area === "ap" ? "apac" : area;
	return prefix === undefined || usual === "" || prefix === usual ? undefined : usual + rest;
}
