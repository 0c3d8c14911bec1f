import type { FieldType } from "./field-checks.ts";
import type { Problem, Vendor } from "./vendor.ts";

/** Vendors of rerankers that the simulator stands in for. */
export type VendorName = "cohere" | "jina" | "voyage" | "together" | "llama.cpp" | "tei";

const problem = (status: number, message: string, type?: string): Problem => ({ status, message, type });
const identity = (probability: number): number => probability;
const wrongType = (name: string, type: FieldType): string => `'${name}' must be of type ${type}`;
const toResults = ({ ranks }: { readonly ranks: readonly { index: number; score: number }[] }): object[] =>
	ranks.map(({ index, score }) => ({ index, relevance_score: score }));

const DOCUMENTS = { model: "string", query: "string", documents: "strings" } as const;

/** Cohere API v2. It bills search units, one for a query and up to 100 documents. */
const cohere: Vendor = {
	prefix: "/v2",
	textsField: "documents",
	limitField: "top_n",
	fields: { ...DOCUMENTS, top_n: "integer", max_tokens_per_doc: "integer", priority: "integer" },
	required: ["model", "query", "documents"],
	maxTexts: 10_000,
	missingKeyError: problem(401, "no api key supplied"),
	invalidKeyError: problem(401, "invalid api token"),
	toScore: identity,
	toResponse: ({ ranks, textCount }) => ({
		id: "rerank-1",
		results: toResults({ ranks }),
		meta: {
			api_version: { version: "2", is_experimental: false },
			billed_units: { search_units: Math.ceil(textCount / 100) },
		},
	}),
	toError: ({ message }) => ({ id: "error-1", message }),
	unknownField: (name) => problem(422, `unknown field: parameter '${name}' is not a valid field`),
	invalidField: (name, type, value) =>
		value === undefined
			? problem(400, `invalid request: ${name} must be provided`)
			: problem(400, `invalid type: parameter '${name}' is of type ${typeof value} but should be ${type}`),
	tooMany: (count, max) => problem(400, `too many documents: ${count}, the most is ${max}`),
	unknownModel: (model) =>
		problem(
			404,
			`model '${model}' not found, make sure the correct model ID was used and that you have access to the model.`,
		),
};

const jina: Vendor = {
	...cohere,
	prefix: "/v1",
	fields: {
		...DOCUMENTS,
		top_n: "integer",
		return_documents: "boolean",
		truncate: "boolean",
		max_doc_length: "integer",
	},
	maxTexts: 2_048,
	missingKeyError: problem(401, "Authorization header is missing."),
	invalidKeyError: problem(401, "Invalid API key, please get a new one."),
	toResponse: ({ model, ranks, tokens }) => ({
		model,
		object: "list",
		...(tokens === undefined ? {} : { usage: { total_tokens: tokens } }),
		results: toResults({ ranks }),
	}),
	toError: ({ message, type }) => ({
		detail: type === undefined ? message : [{ type, loc: ["body", message], msg: "Input is not valid" }],
	}),
	unknownField: (name) => problem(422, name, "extra_forbidden"),
	invalidField: (name, _type, value) => problem(422, name, value === undefined ? "missing" : "type_error"),
	tooMany: (count, max) => problem(422, `The number of documents cannot exceed ${max}, but is ${count}`),
	unknownModel: (model) => problem(400, `Model ${model} not found`),
};

const voyage: Vendor = {
	...jina,
	limitField: "top_k",
	fields: { ...DOCUMENTS, top_k: "integer", return_documents: "boolean", truncation: "boolean" },
	maxTexts: 1_000,
	missingKeyError: problem(401, "Forbidden. Provide an API key."),
	invalidKeyError: problem(401, "Provided API key is invalid."),
	toResponse: ({ model, ranks, tokens }) => ({
		object: "list",
		data: toResults({ ranks }),
		model,
		...(tokens === undefined ? {} : { usage: { total_tokens: tokens } }),
	}),
	toError: ({ message }) => ({ detail: message }),
	unknownField: (name) => problem(400, `Argument '${name}' is not supported by our API`),
	invalidField: (name, type) => problem(400, wrongType(name, type)),
	tooMany: (count, max) => problem(400, `The number of documents cannot exceed ${max}. It is ${count}.`),
	unknownModel: (model) =>
		problem(400, `Model ${model} is not supported. Supported models are ['rerank-2.5', 'rerank-2.5-lite'].`),
};

const together: Vendor = {
	...cohere,
	prefix: "/v1",
	fields: { ...DOCUMENTS, top_n: "integer", return_documents: "boolean", rank_fields: "strings" },
	maxTexts: 1_024,
	missingKeyError: problem(401, "Missing API key", "missing_api_key"),
	invalidKeyError: problem(401, "Invalid API key provided", "invalid_api_key"),
	toResponse: ({ model, ranks, tokens }) => ({
		object: "rerank",
		id: "rerank-1",
		model,
		results: toResults({ ranks }),
		...(tokens === undefined
			? {}
			: { usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } }),
	}),
	toError: ({ message, type }) => ({
		id: "error-1",
		error: { message, type: "invalid_request_error", param: null, code: type ?? null },
	}),
	unknownField: (name) => problem(400, `Unrecognized key(s) in object: '${name}'`),
	invalidField: (name, type) => problem(400, wrongType(name, type)),
	unknownModel: (model) =>
		problem(404, `Unable to access model ${model}. Please visit the list of models.`, "model_not_available"),
};

/** Knows no key unless it was started with one, passes over what it does not know, and gives out raw scores. */
const llamaCpp: Vendor = {
	...cohere,
	prefix: "/v1",
	fields: { ...DOCUMENTS, top_n: "integer" },
	required: ["query", "documents"],
	ignoresUnknownFields: true,
	maxTexts: Number.POSITIVE_INFINITY,
	missingKeyError: problem(401, "Invalid API Key", "authentication_error"),
	invalidKeyError: problem(401, "Invalid API Key", "authentication_error"),
	toScore: (probability) => Math.log(probability / (1 - probability)),
	toResponse: ({ model, ranks, tokens }) => ({
		model,
		object: "list",
		...(tokens === undefined ? {} : { usage: { prompt_tokens: tokens, total_tokens: tokens } }),
		results: toResults({ ranks }),
	}),
	toError: ({ status, message, type }) => ({
		error: { code: status, message, type: type ?? "invalid_request_error" },
	}),
	invalidField: (name) => problem(400, `"${name}" must be provided`),
};

const { limitField: _, ...withoutLimit } = cohere;

/** text-embeddings-inference: `router/src/http/types.rs` and `server.rs`. */
const tei: Vendor = {
	...withoutLimit,
	prefix: "",
	textsField: "texts",
	fields: {
		query: "string",
		texts: "strings",
		truncate: "boolean",
		truncation_direction: "string",
		raw_scores: "boolean",
		return_text: "boolean",
	},
	required: ["query", "texts"],
	ignoresUnknownFields: true,
	maxTexts: 32,
	hasEmpty401: true,
	toResponse: ({ ranks }) => ranks.map(({ index, score }) => ({ index, score })),
	toError: ({ message, type }) => ({ error: message, error_type: type ?? "Backend" }),
	invalidField: (name, type) => problem(422, `Failed to deserialize: ${wrongType(name, type)}`, "Validation"),
	tooMany: (count, max) =>
		problem(413, `batch size ${count} > maximum allowed batch size ${max}`, "Validation"),
};

export const VENDORS: Readonly<Record<VendorName, Vendor>> = {
	cohere,
	jina,
	voyage,
	together,
	"llama.cpp": llamaCpp,
	tei,
};
