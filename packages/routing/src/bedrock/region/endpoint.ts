import { parseBaseUrl } from "../../http/base-url";
import { rejectOption } from "../../http/call-options";
import { type AwsPartition, partitionOf, readBedrockRegion } from "./region";

/** Endpoint of Bedrock, or of a server with the same API. */
export interface BedrockEndpoint {
	/** Base URL, without a slash at its end; `/model/…` follows. */
	readonly baseUrl: string;
	/** Host, with its port where that is not the default one. */
	readonly host: string;
	/** Region that an AWS host names; undefined for a gateway or simulator. */
	readonly region: string | undefined;
}

const EXAMPLE = "Write it as `https://bedrock-runtime.<region>.amazonaws.com`.";

/** Hosts of AWS named after Bedrock, whatever they serve and however they are written. */
const BEDROCK_AT_AWS =
	/^(vpce-[\da-z-]+\.)?bedrock(-[a-z-]+)?\.([a-z]+(-[a-z]+)+-\d+\.)?(vpce\.)?(api\.aws|(amazonaws|api\.amazonwebservices)\.(com|com\.cn|eu))\.?$/;

/**
 * The endpoint that a `baseUrl` names: of AWS's own (regional, FIPS, dual-stack, VPC interface endpoints; the partitions
 * aws, aws-us-gov, aws-cn, aws-eusc), or any other host as a gateway or simulator. A pasted `/model/…` or slash at the
 * end is cut off. A host of AWS's own must be written with `https`, in lower case, without another port or path.
 *
 * @throws ConfigurationError, which does not repeat the URL: there may be a secret in it. Code `base_url_not_plain` for
 * user info, query or fragment.
 */
export function parseBedrockEndpoint(text: string): BedrockEndpoint {
	const { baseUrl, host } = parseBaseUrl(text, { example: EXAMPLE, suffix: /\/model(\/.*)?$/ });
	if (!BEDROCK_AT_AWS.test(host.replace(/:\d+$/, ""))) return { baseUrl, host, region: undefined };
	const region = readBedrockRegion(baseUrl);
	// What the parser made lower case or ASCII was not written as AWS's host.
	if (region !== undefined && baseUrl.endsWith(host) && text.includes(host)) return { baseUrl, host, region };
	const isOpenAi = /mantle|\/openai/.test(baseUrl);
	rejectOption(
		"baseUrl",
		"of Bedrock's runtime at AWS: with https, in lower case, in its region's domain, without a port or path",
		{ hint: isOpenAi ? "The OpenAI format is for provider `openai-compatible`." : EXAMPLE },
	);
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
		const { host, region } = parseBedrockEndpoint(baseUrl);
		return region === undefined || host.startsWith("vpce-") ? undefined : partitionOf(region);
	} catch {
		return undefined;
	}
}
