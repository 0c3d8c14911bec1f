import fc from "fast-check";
import type { StagePlanInput } from "../plan-stages";
import type { DeploymentProvider, EmbeddingSpace, KnowledgeBaseModels, WorkspaceModels } from "../settings";
import { ORDER } from "./stage-laws";

/** Names that objects have without being given them, and other odd ones. */
const oddName = fc.oneof(
	fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "default", "", " "),
	fc.constantFrom(
		"openai-compatible",
		"bedrock",
		"extractive",
		"refusal",
		"resolved",
		"\n",
		"`",
		"undefined",
	),
	fc.string({ unit: "binary", maxLength: 12 }),
);

const oddUrl = fc.oneof(
	oddName,
	fc.constantFrom("https://api.openai.com/v1", "https://[", "//", "https://"),
	fc.webUrl(),
);

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.oneof(maybe(value), fc.constant(null));

const oddSpace = fc.record({ base_url: oddUrl, model: oddName, dimensions: maybe(fc.integer()) });
const keyOrNone = fc.constantFrom("explicit" as const, "none" as const);
const source = fc.constantFrom("explicit" as const, "ambient" as const, "none" as const);

/** An own property even where the name is `__proto__`. */
const toProviders = (entries: readonly (readonly [string, DeploymentProvider])[]) =>
	Object.fromEntries(entries);

const oddProvider = fc.record({
	provider: oddName,
	base_url: oddUrl,
	credential: source,
	default_model: maybe(oddName),
	allowed_models: maybe(fc.array(oddName, { maxLength: 3 })),
});

/** Whatever the types allow, sensible or not. */
export const oddInput: fc.Arbitrary<StagePlanInput> = fc.record({
	choice: maybe(fc.record({ provider: maybe(oddName), model: maybe(oddName) })),
	isClientKey: maybe(fc.boolean()),
	knowledgeBases: maybe(
		fc.array(
			fc.record({
				id: oddName,
				llm_provider: nullable(oddName),
				llm_model: nullable(oddName),
				embedding: nullable(oddSpace),
			}),
			{ maxLength: 3 },
		),
	),
	workspace: nullable(
		fc.record({
			provider: oddName,
			base_url: oddUrl,
			model: oddName,
			has_api_key: fc.boolean(),
			status: fc.constantFrom(undefined, "ok" as const, "undecryptable" as const),
		}),
	),
	deployment: fc.record({
		providers: fc.array(fc.tuple(oddName, oddProvider), { maxLength: 4 }).map(toProviders),
		chat: maybe(oddName),
		embeddings: maybe(
			fc.record({ provider: oddName, base_url: oddUrl, model: oddName, credential: keyOrNone }),
		),
		rerank: maybe(fc.record({ provider: oddName, base_url: oddUrl, model: oddName, credential: keyOrNone })),
		aws: fc.record({ allowAmbientCredentials: maybe(fc.boolean()) }),
	}),
	stages: maybe(fc.subarray([...ORDER])),
});

const format = fc.constantFrom("openai-compatible", "bedrock", "anthropic", "extractive");
const model = fc.constantFrom("a", "b", "__proto__", "default", "us.c", "eu.c", "apac.c", "extractive");
const providerName = fc.constantFrom("x", "y", "__proto__", "constructor", "embeddings");

const baseUrl = fc.constantFrom(
	"https://api.openai.com/v1",
	"http://localhost:1",
	...["us-east-1", "eu-west-3", "ap-south-1", "ca-central-1", "us-gov-west-1"].map(
		(region) => `https://bedrock-runtime.${region}.amazonaws.com`,
	),
);

const space: fc.Arbitrary<EmbeddingSpace> = fc.record({
	base_url: baseUrl,
	model,
	dimensions: fc.constantFrom(undefined, 1),
});

const knowledgeBase: fc.Arbitrary<KnowledgeBaseModels> = fc.record({
	id: fc.uuid(),
	llm_provider: nullable(format),
	llm_model: nullable(model),
	embedding: nullable(space),
});

/** The settings that a workspace can save. */
const workspace: fc.Arbitrary<WorkspaceModels> = fc
	.record({
		provider: fc.constantFrom("openai-compatible", "bedrock"),
		base_url: baseUrl,
		model,
		has_api_key: fc.boolean(),
		isLost: fc.boolean(),
	})
	.map(({ isLost, ...settings }) =>
		settings.has_api_key && isLost ? { ...settings, status: "undecryptable" as const } : settings,
	);

const provider: fc.Arbitrary<DeploymentProvider> = fc.record({
	provider: fc.constantFrom("openai-compatible", "bedrock", "anthropic"),
	base_url: baseUrl,
	credential: source,
	default_model: maybe(model),
	allowed_models: maybe(fc.array(model, { maxLength: 3 })),
});

const providers = fc
	.uniqueArray(fc.tuple(providerName, provider), { maxLength: 4, selector: ([name]) => name })
	.map((entries) =>
		entries.filter(([, { provider, credential }]) => provider === "bedrock" || credential !== "ambient"),
	)
	.map(toProviders);

const embeddings = fc.record({ provider: format, base_url: baseUrl, model, credential: keyOrNone });

const rerank = fc.record({ provider: providerName, base_url: baseUrl, model, credential: keyOrNone });

/** What may really be configured, from few names, so that they meet: `chat` is one of the providers. */
export const sensibleInput: fc.Arbitrary<StagePlanInput> = providers.chain((configured) =>
	fc.record({
		choice: maybe(fc.record({ provider: maybe(format), model: maybe(model) })),
		isClientKey: fc.boolean(),
		knowledgeBases: maybe(fc.array(knowledgeBase, { maxLength: 3 })),
		workspace: nullable(workspace),
		deployment: fc.record({
			providers: fc.constant(configured),
			chat: fc.constantFrom(undefined, ...Object.keys(configured)),
			embeddings: maybe(embeddings),
			rerank: maybe(rerank),
			aws: fc.record({ allowAmbientCredentials: maybe(fc.boolean()) }),
		}),
		stages: maybe(fc.subarray([...ORDER])),
	}),
);
