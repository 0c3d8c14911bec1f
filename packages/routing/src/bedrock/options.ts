import { ConfigurationError } from "@stemma/core/errors";
import {
	type CallOptions,
	type CallSettings,
	readCallOptions,
	readModelName,
	rejectOption,
	throwOptionError,
} from "../http/call-options";
import type { Endpoint } from "../http/to-provider-error";
import type { BedrockCredential } from "./credential/credential";
import { type BedrockSecret, getSecret } from "./credential/secret";
import { parseBedrockEndpoint } from "./region/endpoint";
import { correctProfilePrefix } from "./region/inference-profile";
import { canSign } from "./signing/sign";

/** Options for a model of Bedrock: its address, its credential, and how it is called. */
export interface BedrockOptions extends CallOptions {
	/**
	 * `https://bedrock-runtime.<region>.amazonaws.com`, which names the region too; FIPS, dual-stack and VPC endpoints, and
	 * gateways of one's own.
	 */
	readonly baseUrl: string;
	/** The id of an inference profile, `us.amazon.nova-lite-v1:0`, or of a model, or the ARN of either. */
	readonly model: string;
	/** AWS keys, which sign, or a Bedrock API key; `parseBedrockCredential` reads both from text. */
	readonly credential: BedrockCredential | BedrockSecret;
}

/** The options, checked and complete. */
export interface Settings extends CallSettings, Endpoint {
	/** Base URL, without a slash at its end. */
	readonly baseUrl: string;
	/** Undefined where it is not known, and not needed. */
	readonly region: string | undefined;
	readonly secret: BedrockSecret;
}

/** @throws ConfigurationError that names the option, without a word of a credential. */
export function readOptions(options: BedrockOptions): Settings {
	const endpoint = parseBedrockEndpoint(options.baseUrl);
	const secret = getSecret(options.credential);
	const region = endpoint.region ?? options.credential.region;
	if (secret.apiKey === undefined) assertCanSign(region);
	return {
		...readCallOptions(options),
		baseUrl: endpoint.baseUrl,
		vendorHost: endpoint.host,
		region,
		secret,
		model: readModelId(options.model, region),
		hasKey: true,
		api: "Bedrock's Converse operations",
		baseUrlHint: "Check {baseUrl}: it is `https://bedrock-runtime.<region>.amazonaws.com`.",
	};
}

function assertCanSign(region: string | undefined): void {
	if (!canSign())
		throw new ConfigurationError("AWS keys cannot sign here: there is no WebCrypto.", {
			code: "signing_not_supported",
			option: "credential",
			hint: "Set `credential` to a Bedrock API key (React Native), or serve the page over https.",
		});
	if (region === undefined)
		throwOptionError(
			"credential",
			"must name a region, for which AWS keys sign: the host of {baseUrl} names none",
			{
				hint: "Add `region` to the object or JSON of {credential}, or write it as `ACCESS:SECRET:REGION`.",
			},
		);
}

/**
 * Checks the form of a model id: ids and ARNs alone, for a path cannot carry `..`, and a blank is a slip.
 *
 * @throws ConfigurationError that names `model`.
 */
export function parseBedrockModelId(text: string): string {
	const model = readModelName(text);
	if (!/^[A-Za-z\d][\w.:/-]*$/.test(model))
		rejectOption("model", "the id or ARN of an inference profile or a model");
	return model;
}

function readModelId(text: string, region: string | undefined): string {
	const model = parseBedrockModelId(text);
	const corrected = correctProfilePrefix(model, region);
	if (corrected !== undefined) rejectRegion(`Set \`model\` to \`${corrected}\``);
	const modelRegion = /^arn:[^:]+:[^:]+:([^:]+):/.exec(model)?.[1] ?? region;
	if (region !== undefined && modelRegion !== region) rejectRegion(`Set \`model\` to one of ${region}`);
	return model;
}

function rejectRegion(advice: string): never {
	throwOptionError("model", "is of another region than {baseUrl}", {
		code: "region_mismatch",
		hint: `${advice}, or {baseUrl} to the region of the model.`,
	});
}
