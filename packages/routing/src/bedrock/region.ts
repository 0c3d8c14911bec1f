/** AWS's group of regions with accounts of its own; the second part of an ARN. */
export type AwsPartition = "aws" | "aws-cn" | "aws-us-gov" | "aws-eusc";

/** The hosts of AWS's Bedrock runtime: regional, FIPS, dual-stack, VPC interface endpoints. */
const RUNTIME =
	/^https:\/\/(?:vpce-[\da-z-]+\.)?bedrock-runtime(?:-fips)?\.([a-z]{2,4}(?:-[a-z]+)+-\d+)\.(?:vpce\.)?(?:api\.aws|(?:amazonaws|api\.amazonwebservices)\.(?:com|com\.cn|eu))(?:\/|$)/;

/**
 * The region of a `base_url` on a host of AWS's own, written as `parseBedrockEndpoint` gives it: `https`, lower case, no
 * port. Undefined for gateways, simulators and whatever else; never throws.
 */
export const readBedrockRegion = (baseUrl: string): string | undefined => RUNTIME.exec(baseUrl)?.[1];

export function partitionOf(region: string): AwsPartition {
	const special = /^(cn|us-gov|eusc)-/.exec(region)?.[1];
	return special === undefined ? "aws" : (`aws-${special}` as AwsPartition);
}
