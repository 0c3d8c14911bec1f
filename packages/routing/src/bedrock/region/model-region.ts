import { correctProfilePrefix } from "./inference-profile";
import { partitionOf } from "./region";

/** A model that the endpoint's region does not have. */
export interface RegionMismatch {
	/** The id to write instead; undefined where there is none, as for what the account owns in another region. */
	readonly model: string | undefined;
	/** A sentence with what to write instead. */
	readonly reason: string;
}

/** Result of checking a model against a region: a mismatch, a warning or neither. */
export type ModelRegionCheck =
	| { readonly mismatch: RegionMismatch; readonly warning?: never }
	| { readonly warning: string; readonly mismatch?: never }
	| { readonly mismatch?: never; readonly warning?: never };

/** The regions that usually have a prefix, the likeliest prefix first; AWS decides it for each model. */
const PREFIXES: readonly (readonly [regions: RegExp, prefix: string])[] = [
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
 * Checks whether a region can have a model, as far as the model's id tells: `us.`, `eu.` and `apac.` in a region of
 * another of the three, and ARNs of another region, are mismatches; combinations that are merely unusual give a
 * warning. Without a region nothing is checked. Prefixes: AWS, "Supported Regions and models for inference profiles".
 */
export function checkModelRegion(model: string, region: string | undefined): ModelRegionCheck {
	if (region === undefined) return {};
	const [, start, arnRegion = region, middle, kind, id = model] = ARN.exec(model) ?? [];
	const isAccountResource = kind !== undefined && !/^(foundation-model|inference-profile)$/.test(kind);
	if (arnRegion === region) return isAccountResource ? {} : checkId(id, region, model.slice(0, -id.length));
	const isMovable = !isAccountResource && partitionOf(arnRegion) === partitionOf(region);
	const moved = isMovable ? moveId(id, region) : undefined;
	const corrected = moved && `${start}${region}${middle}${moved}`;
	return mismatch(`This ARN belongs to ${arnRegion}`, corrected, `the base_url of ${arnRegion}`);
}

function checkId(id: string, region: string, start: string): ModelRegionCheck {
	const { prefix, isExpected, suggested } = readId(id, region);
	if (isExpected || (prefix ?? suggested) === undefined) return {};
	if (prefix === undefined) return { warning: `Newer models need an inference profile: \`${suggested}\`.` };
	const corrected = correctProfilePrefix(id, region);
	if (corrected !== undefined) return mismatch(`\`${prefix}.\` is not for ${region}`, start + corrected);
	const advice = suggested ? `: try \`${suggested}\`` : "";
	return { warning: `\`${prefix}.\` is unusual in ${region}${advice}.` };
}

/** The id in another region; undefined for a profile where no prefix is usual. */
function moveId(id: string, region: string): string | undefined {
	const { prefix, isExpected, suggested } = readId(id, region);
	return isExpected || prefix === undefined ? id : suggested;
}

function readId(id: string, region: string) {
	const [, prefix, bare = id] = PREFIXED.exec(id) ?? [];
	const expected = PREFIXES.flatMap(([regions, name]) => (regions.test(region) ? name : []));
	return {
		prefix,
		isExpected: expected.includes(prefix ?? ""),
		suggested: expected[0] && `${expected[0]}.${bare}`,
	};
}

function mismatch(problem: string, model: string | undefined, otherwise = ""): ModelRegionCheck {
	return { mismatch: { model, reason: `${problem}: use ${model ? `\`${model}\`` : otherwise}.` } };
}
