import { correctGeography } from "./geography";
import { partitionOf } from "./region";

/** A model that the endpoint's region does not have. */
export interface RegionMismatch {
	/** The id to write instead; undefined where there is none, as for what the account owns in another region. */
	readonly model: string | undefined;
	/** A sentence with what to write instead. */
	readonly reason: string;
}

/** At most one of the two. */
export type ModelRegionCheck =
	| { readonly mismatch: RegionMismatch; readonly warning?: never }
	| { readonly warning: string; readonly mismatch?: never }
	| { readonly mismatch?: never; readonly warning?: never };

/** The regions that usually have a prefix, the likeliest prefix first; AWS decides it for each model. */
const USUAL: readonly (readonly [regions: RegExp, prefix: string])[] = [
	[/^us-gov/, "us-gov"],
	[/^(us-(?!gov)|sa)/, "us"],
	[/^eu-/, "eu"],
	[/^(ap|me)/, "apac"],
	[/^ca/, "ca"],
	[/^ap-southeast-[24]$/, "au"],
	[/^ap-northeast-[13]$/, "jp"],
	[/^(?!us-gov|cn|eusc)/, "global"],
];

/** A prefix that does not say one of the three areas is told from a vendor by the vendor after it. */
const PREFIXED = /^(us|eu|apac|[a-z-]{2,6}(?=\.(?:ai21|[a-z]+)\.))\.(.+)/;
const ARN = /^(arn:[^:]+:[^:]+:)([^:]+)(:\d*:([a-z-]+)\/)(.+)/;

/**
 * Whether a region can have a model, as far as the id says it: `us.`, `eu.` and `apac.` in a region of another of the
 * three, and ARNs of another region, are mismatches; what is merely unusual is warned of. Without a region nothing is
 * checked. Prefixes: AWS, "Supported Regions and models for inference profiles".
 */
export function checkModelRegion(model: string, region: string | undefined): ModelRegionCheck {
	if (region === undefined) return {};
	const [, start, home = region, middle, kind, id = model] = ARN.exec(model) ?? [];
	const isOwned = kind !== undefined && !/^(foundation-model|inference-profile)$/.test(kind);
	if (home === region) return isOwned ? {} : checkId(id, region, model.slice(0, -id.length));
	const isMovable = !isOwned && partitionOf(home) === partitionOf(region);
	const moved = isMovable ? moveId(id, region) : undefined;
	const corrected = moved && `${start}${region}${middle}${moved}`;
	return mismatch(`This ARN belongs to ${home}`, corrected, `the base_url of ${home}`);
}

function checkId(id: string, region: string, start: string): ModelRegionCheck {
	const { prefix, isUsual, better } = readId(id, region);
	if (isUsual || (prefix ?? better) === undefined) return {};
	if (prefix === undefined) return { warning: `Newer models need an inference profile: \`${better}\`.` };
	const corrected = correctGeography(id, region);
	if (corrected !== undefined) return mismatch(`\`${prefix}.\` is not for ${region}`, start + corrected);
	const instead = better ? `: try \`${better}\`` : "";
	return { warning: `\`${prefix}.\` is unusual in ${region}${instead}.` };
}

/** The id in another region; undefined for a profile where no prefix is usual. */
function moveId(id: string, region: string): string | undefined {
	const { prefix, isUsual, better } = readId(id, region);
	return isUsual || prefix === undefined ? id : better;
}

function readId(id: string, region: string) {
	const [, prefix, bare = id] = PREFIXED.exec(id) ?? [];
	const usual = USUAL.flatMap(([regions, name]) => (regions.test(region) ? name : []));
	return { prefix, isUsual: usual.includes(prefix ?? ""), better: usual[0] && `${usual[0]}.${bare}` };
}

function mismatch(problem: string, model: string | undefined, otherwise = ""): ModelRegionCheck {
	return { mismatch: { model, reason: `${problem}: use ${model ? `\`${model}\`` : otherwise}.` } };
}
