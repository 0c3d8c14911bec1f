import { ConfigurationError } from "@stemma/core/errors";
import {
	type CallOptions,
	type CallSettings,
	readCallOptions,
	readModelName,
	refuseOption,
} from "../http/call-options";
import type { Endpoint } from "../http/to-provider-error";
import {
	type BedrockCredential,
	type BedrockSecret,
	parseBedrockCredential,
	revealCredential,
} from "./credential";
import { parseBedrockEndpoint } from "./endpoint";
import { checkModelRegion } from "./model-region";
import { canSign } from "./sign";

/** Where a model is, and how it is asked. */
export type BedrockOptions = CallOptions & BedrockEndpointOptions & BedrockCredentialOptions;

export interface BedrockEndpointOptions {
	/**
	 * `https://bedrock-runtime.<region>.amazonaws.com`, which names the region too; FIPS, dual-stack and VPC endpoints, and
	 * gateways of one's own.
	 */
	readonly baseUrl: string;
	/** The id of an inference profile, `us.amazon.nova-lite-v1:0`, or of a model, or the ARN of either. */
	readonly model: string;
}

export type BedrockCredentialOptions =
	| {
			/** What {@link parseBedrockCredential} reads: AWS keys, which sign, or a Bedrock API key. */
			readonly apiKey: string;
			readonly credential?: never;
	  }
	| {
			/** The same, parsed or as text. */
			readonly credential: BedrockCredential | string;
			readonly apiKey?: never;
	  };

/** The options, checked and complete. */
export interface Settings extends CallSettings, Endpoint {
	/** Without a slash at its end. */
	readonly baseUrl: string;
	/** Undefined where it is not known, and not needed. */
	readonly region: string | undefined;
	readonly secret: BedrockSecret;
}

/** @throws ConfigurationError that names the option, without a word of a credential. */
export function readOptions(options: BedrockOptions): Settings {
	const endpoint = parseBedrockEndpoint(options.baseUrl);
	const given = options.credential ?? options.apiKey;
	const credential = typeof given === "object" ? given : parseBedrockCredential(given);
	const secret = revealCredential(credential);
	const region = endpoint.region ?? credential.region;
	if (secret.kind === "sigv4") demandSigning(region);
	return {
		...readCallOptions(options),
		baseUrl: endpoint.baseUrl,
		vendorHost: endpoint.host,
		region,
		secret,
		model: readModelId(options.model, region),
		hasKey: true,
		api: "Bedrock's Converse operations",
		baseUrlHint: "Check `baseUrl`: it is `https://bedrock-runtime.<region>.amazonaws.com`, without a path.",
	};
}

function demandSigning(region: string | undefined): void {
	if (!canSign())
		throw new ConfigurationError("This platform has no WebCrypto, so AWS keys cannot sign here.", {
			code: "signing_not_supported",
			hint: "Set `apiKey` to a Bedrock API key, which is sent as it is (React Native), or serve the page by https.",
		});
	if (region === undefined)
		throw new ConfigurationError(
			"AWS keys sign for one region, and neither `baseUrl` nor `apiKey` names it.",
			{
				hint: "Write `baseUrl` as `https://bedrock-runtime.<region>.amazonaws.com`, or `apiKey` as `ACCESS:SECRET:REGION`.",
			},
		);
}

/** Ids and ARNs alone: a path cannot carry `..`, and a blank is a slip. */
function readModelId(text: string, region: string | undefined): string {
	const model = readModelName(text);
	if (!/^[A-Za-z\d][\w.:/-]*$/.test(model))
		refuseOption("model", "the id or ARN of an inference profile or a model");
	const { mismatch } = checkModelRegion(model, region);
	if (mismatch !== undefined)
		throw new ConfigurationError(`\`model\` is of another region than \`baseUrl\`. ${mismatch.reason}`, {
			code: "region_mismatch",
			hint:
				mismatch.model === undefined
					? "Set `baseUrl` to the region of the model, or `model` to one of this region."
					: `Set \`model\` to \`${mismatch.model}\`, or \`baseUrl\` to the region of the model.`,
		});
	return model;
}
