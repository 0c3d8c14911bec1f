import fc from "fast-check";
import type { StagePlanInput } from "../plan-stages";
import type { DeploymentProvider, EmbeddingSpace, KnowledgeBaseModels, WorkspaceModels } from "../settings";
import { ORDER } from "./stage-invariants";

/** Names that objects have without being given them, and other odd ones. */
const malformedName = fc.oneof(
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

const malformedUrl = fc.oneof(
	malformedName,
	fc.constantFrom("https://api.openai.com/v1", "https://[", "//", "https://"),
	fc.webUrl(),
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const nullable = <T>(value: fc.Arbitrary<T>) => fc.oneof(optional(value), fc.constant(null));

const malformedSpace = fc.record({
	base_url: malformedUrl,
	model: malformedName,
	dimensions: optional(fc.integer()),
});
const keyOrNone = fc.constantFrom("explicit" as const, "none" as const);
const source = fc.constantFrom("explicit" as const, "ambient" as const, "none" as const);

/** An own property even where the name is `__proto__`. */
const toProviders = (entries: readonly (readonly [string, DeploymentProvider])[]) =>
	Object.fromEntries(entries);

const malformedProvider = fc.record({
	provider: malformedName,
	base_url: malformedUrl,
	credential: source,
	default_model: optional(malformedName),
	allowed_models: optional(fc.array(malformedName, { maxLength: 3 })),
});

/** Whatever the types allow, sensible or not. */
export const malformedInput: fc.Arbitrary<StagePlanInput> = fc.record({
	choice: optional(fc.record({ provider: optional(malformedName), model: optional(malformedName) })),
	isClientKey: optional(fc.boolean()),
	knowledgeBases: optional(
		fc.array(
			fc.record({
				id: malformedName,
				llm_provider: nullable(malformedName),
				llm_model: nullable(malformedName),
				embedding: nullable(malformedSpace),
			}),
			{ maxLength: 3 },
		),
	),
	workspace: nullable(
		fc.record({
			provider: malformedName,
			base_url: malformedUrl,
			model: malformedName,
			has_api_key: fc.boolean(),
			status: fc.constantFrom(undefined, "ok" as const, "undecryptable" as const),
		}),
	),
	deployment: fc.record({
		providers: fc.array(fc.tuple(malformedName, malformedProvider), { maxLength: 4 }).map(toProviders),
		chat: optional(malformedName),
		embeddings: optional(
			fc.record({
				provider: malformedName,
				base_url: malformedUrl,
				model: malformedName,
				credential: keyOrNone,
			}),
		),
		rerank: optional(
			fc.record({
				provider: malformedName,
				base_url: malformedUrl,
				model: malformedName,
				credential: keyOrNone,
			}),
		),
		aws: fc.record({ allowAmbientCredentials: optional(fc.boolean()) }),
	}),
	stages: optional(fc.subarray([...ORDER])),
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
		isUndecryptable: fc.boolean(),
	})
	.map(({ isUndecryptable, ...settings }) =>
		settings.has_api_key && isUndecryptable ? { ...settings, status: "undecryptable" as const } : settings,
	);

const provider: fc.Arbitrary<DeploymentProvider> = fc.record({
	provider: fc.constantFrom("openai-compatible", "bedrock", "anthropic"),
	base_url: baseUrl,
	credential: source,
	default_model: optional(model),
	allowed_models: optional(fc.array(model, { maxLength: 3 })),
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
export const validInput: fc.Arbitrary<StagePlanInput> = providers.chain((configured) =>
	fc.record({
		choice: optional(fc.record({ provider: optional(format), model: optional(model) })),
		isClientKey: fc.boolean(),
		knowledgeBases: optional(fc.array(knowledgeBase, { maxLength: 3 })),
		workspace: nullable(workspace),
		deployment: fc.record({
			providers: fc.constant(configured),
			chat: fc.constantFrom(undefined, ...Object.keys(configured)),
			embeddings: optional(embeddings),
			rerank: optional(rerank),
			aws: fc.record({ allowAmbientCredentials: optional(fc.boolean()) }),
		}),
		stages: optional(fc.subarray([...ORDER])),
	}),
);
