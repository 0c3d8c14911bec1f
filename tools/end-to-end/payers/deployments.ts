import type { Vendors } from "./vendors";
import { AWS_KEYS, HOST_KEY, OWN_KEY, toCredential } from "./vendors";

export const NOVA = "amazon.nova-lite-v1:0";
export const NOVA_PRO = "amazon.nova-pro-v1:0";

type Settings = object | undefined;

/** Parts of a service's configuration, by what they are for. */
export const DEPLOYMENTS: Readonly<Record<string, (vendors: Vendors) => object>> = {
	"no provider": () => ({}),
	"a vendor with a key": (vendors) => ({ providers: { main: onHost(vendors) }, chat: "main" }),
	"a vendor with a key, and a server without": (vendors) => ({
		providers: { main: onHost(vendors), local: onKeyless(vendors) },
		chat: "local",
	}),
	"Bedrock with a key, and a vendor": (vendors) => ({
		providers: {
			main: onHost(vendors),
			aws: onAmazon(vendors, { credential: { value: toCredential(AWS_KEYS.deployment) } }),
		},
		chat: "aws",
	}),
	"Bedrock by the machine's role, and a vendor": (vendors) => ({
		providers: { aws: onAmazon(vendors, { allowed_models: [NOVA_PRO] }), main: onHost(vendors) },
		chat: "aws",
		aws: { allowAmbientCredentials: true },
	}),
	"Bedrock by the machine's role, without a list": (vendors) => ({
		providers: { aws: onAmazon(vendors, {}) },
		chat: "aws",
		aws: { allowAmbientCredentials: true },
	}),
};

const onHost = ({ host }: Vendors) => ({
	provider: "openai-compatible",
	base_url: host.baseUrl,
	credential: { value: HOST_KEY },
	default_model: "host-model",
	allowed_models: ["gpt-a"],
});

const onKeyless = ({ keyless }: Vendors) => ({
	provider: "openai-compatible",
	base_url: keyless.baseUrl,
	default_model: "local-model",
});

const onAmazon = ({ amazon }: Vendors, more: object) => ({
	provider: "bedrock",
	base_url: amazon.baseUrl,
	default_model: NOVA,
	...more,
});

/** What a workspace may have set. */
export const WORKSPACES: Readonly<Record<string, (vendors: Vendors) => Settings>> = {
	"no settings": () => undefined,
	"a key of a vendor": ({ own }) => ({
		provider: "openai-compatible",
		base_url: own.baseUrl,
		model: "own-model",
		api_key: OWN_KEY,
	}),
	"a Bedrock key": ({ amazon }) => ({
		provider: "bedrock",
		base_url: amazon.baseUrl,
		model: NOVA,
		api_key: toCredential(AWS_KEYS.workspace),
	}),
};

/** What the first knowledge base names. */
export const OVERRIDES = {
	"no override": { llm_provider: null, llm_model: null },
	"provider and model": { llm_provider: "openai-compatible", llm_model: "gpt-a" },
	"a model": { llm_provider: null, llm_model: NOVA_PRO },
	Bedrock: { llm_provider: "bedrock", llm_model: null },
} as const;

/** What the two model nodes name: of `desk`, and of `tail`, which runs after it. */
export const MODEL_PREFERENCES = {
	nothing: [{}, {}],
	"a model that is not allowed": [{}, { model: "gpt-x" }],
	"another provider with a model": [{}, { provider: "openai-compatible", model: "gpt-a" }],
	"what is refused twice": [{ model: "gpt-x" }, { provider: "bedrock", model: "gpt-x" }],
	"a listed model": [{ model: NOVA_PRO }, { model: "default" }],
	"the built-in model": [{ provider: "extractive" }, { model: NOVA }],
} as const;
