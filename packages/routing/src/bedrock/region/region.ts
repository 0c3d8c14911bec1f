/** AWS's group of regions with accounts of its own; the second part of an ARN. */
export type AwsPartition = "aws" | "aws-cn" | "aws-us-gov" | "aws-eusc";

/** Bedrock's runtime, FIPS or not, behind a VPC interface endpoint or not. */
const RUNTIME =
	/^https:\/\/(vpce-[\da-z-]+\.)?bedrock-runtime(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d+)\.([a-z.]+)(?:\/|$)/;

/**
 * The region of a `base_url` on a host of AWS's own (regional, FIPS, dual-stack, VPC interface endpoints), written as
 * `parseBedrockEndpoint` gives it: `https`, lower case, no port. Undefined for gateways, simulators, hosts in a domain that
 * their region does not have, and whatever else; never throws.
 */
export function readBedrockRegion(baseUrl: string): string | undefined {
	const [, vpcEndpoint, region = "", domain = ""] = RUNTIME.exec(baseUrl) ?? [];
	const [standard, dualStack] = toDomains(partitionOf(region));
	const isExpectedDomain = vpcEndpoint
		? domain === `vpce.${standard}`
		: domain === standard || domain === dualStack;
	return isExpectedDomain ? region : undefined;
}

function toDomains(partition: AwsPartition): readonly [standard: string, dualStack: string] {
	if (partition === "aws-cn") return ["amazonaws.com.cn", "api.amazonwebservices.com.cn"];
	if (partition === "aws-eusc") return ["amazonaws.eu", "api.amazonwebservices.eu"];
	return ["amazonaws.com", "api.aws"];
}

export function partitionOf(region: string): AwsPartition {
	const special = /^(cn|us-gov|eusc)-/.exec(region)?.[1];
	return special === undefined ? "aws" : (`aws-${special}` as AwsPartition);
}
