import { ConfigurationError } from "@stemma/core/errors";
import { type AwsPartition, partitionOf, readBedrockRegion } from "./region";

/** Where Bedrock, or what speaks like it, is. */
export interface BedrockEndpoint {
	/** Without a slash at its end; `/model/…` follows. */
	readonly baseUrl: string;
	/** With its port where it is not the usual one. */
	readonly host: string;
	/** As a host of AWS names it; undefined for a gateway or simulator. */
	readonly region: string | undefined;
	/** True for hosts of AWS's own. */
	readonly isAws: boolean;
	/** Only where `isAws`. */
	readonly partition?: AwsPartition;
}

const EXAMPLE = "Write it as `https://bedrock-runtime.<region>.amazonaws.com`.";
const OPENAI_HINT =
	"The OpenAI format, `/openai/v1` and bedrock-mantle, is for provider `openai-compatible`.";

/** The domains of each partition; the dual-stack one is the second. */
const DOMAINS: Readonly<Record<AwsPartition, readonly [string, string]>> = {
	aws: ["amazonaws.com", "api.aws"],
	"aws-us-gov": ["amazonaws.com", "api.aws"],
	"aws-cn": ["amazonaws.com.cn", "api.amazonwebservices.com.cn"],
	"aws-eusc": ["amazonaws.eu", "api.amazonwebservices.eu"],
};

/** Hosts of AWS named after Bedrock, whatever they serve and however they are written. */
const BEDROCK_AT_AWS =
	/^(?:vpce-[\da-z-]+\.)?bedrock(?:-[a-z-]+)?\.(?:[a-z]+(?:-[a-z]+)+-\d+\.)?(?:vpce\.)?(?:api\.aws|(?:amazonaws|api\.amazonwebservices)\.(?:com|com\.cn|eu))\.?$/;

/**
 * The endpoint that a `baseUrl` names: of AWS's own (regional, FIPS, dual-stack, VPC interface endpoints; the partitions
 * aws, aws-us-gov, aws-cn, aws-eusc), or any other host as a gateway or simulator. A pasted `/model/…` or slash at the
 * end is cut off. A host of AWS's own must be written with `https`, in lower case, without another port or path.
 *
 * @throws ConfigurationError, which does not repeat the URL: there may be a secret in it. Code `base_url_not_plain` for
 * user info, query or fragment.
 */
export function parseBedrockEndpoint(text: string): BedrockEndpoint {
	const url = parseUrl(text);
	if (url?.protocol !== "https:" && url?.protocol !== "http:") refuse("be a URL with http or https");
	if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
		throw new ConfigurationError("`baseUrl` must have no user info, query or fragment.", {
			code: "base_url_not_plain",
			hint: `${EXAMPLE} A credential goes into \`apiKey\`.`,
		});
	const path = cutPath(url.pathname);
	const endpoint = { baseUrl: url.origin + path, host: url.host };
	if (!BEDROCK_AT_AWS.test(url.hostname)) return { ...endpoint, region: undefined, isAws: false };
	const region = readAwsRegion(url, text);
	if (path !== "") refuse("have no path at a host of AWS", path.startsWith("/openai") ? OPENAI_HINT : "");
	return { ...endpoint, region, isAws: true, partition: partitionOf(region) };
}

/**
 * True when both are endpoints of AWS's own, `https://bedrock-runtime[-fips].<region>…`, in one partition: a credential
 * for the one may be sent to the other. VPC interface endpoints are none. Never throws.
 */
export function isSameBedrockPartition(baseUrl: string, otherBaseUrl: string): boolean {
	const [one, other] = [readPublicPartition(baseUrl), readPublicPartition(otherBaseUrl)];
	return one !== undefined && one === other;
}

function readPublicPartition(baseUrl: string): AwsPartition | undefined {
	try {
		const { host, partition } = parseBedrockEndpoint(baseUrl);
		return host.startsWith("vpce-") ? undefined : partition;
	} catch {
		return undefined;
	}
}

function readAwsRegion(url: URL, text: string): string {
	if (!/(?:^|\.)bedrock-runtime(?:-fips)?\./.test(url.hostname))
		refuse(
			"be of Bedrock's runtime, not of its control plane or another part",
			url.hostname.includes("bedrock-mantle.") ? OPENAI_HINT : "",
		);
	if (url.protocol !== "https:") refuse("have https at a host of AWS");
	// What the parser made lower case or ASCII was not written as AWS's host.
	if (url.port !== "" || !text.includes(url.host))
		refuse("have a host of AWS in lower case and without a port");
	const region = readBedrockRegion(url.origin);
	if (region === undefined || !hasItsDomain(url.host, region))
		refuse("name a region, and the domain that this region has");
	return region;
}

function hasItsDomain(host: string, region: string): boolean {
	const [usual, dualStack] = DOMAINS[partitionOf(region)];
	const isVpcEndpoint = host.startsWith("vpce-");
	const domain = host.slice(host.indexOf(`.${region}.`) + region.length + 2);
	return isVpcEndpoint ? domain === `vpce.${usual}` : domain === usual || domain === dualStack;
}

function refuse(demand: string, hint = ""): never {
	throw new ConfigurationError(`\`baseUrl\` must ${demand}.`, { hint: `${EXAMPLE} ${hint}`.trim() });
}

function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}

function cutPath(pathname: string): string {
	let path = pathname.replace(/\/model(?:\/.*)?$/, "");
	while (path.endsWith("/")) path = path.slice(0, -1);
	return path;
}
