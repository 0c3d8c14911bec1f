import { boolean, document, listOf, mapOf, number, oneOf, structure, text, union } from "./shape.ts";

const TOOL_NAME = text({ pattern: "[a-zA-Z0-9_-]+", minLength: 1, maxLength: 64 });
const TOOL_USE_ID = text({ pattern: "[a-zA-Z0-9_.:-]+", minLength: 1, maxLength: 64 });

const s3Location = structure({ "uri!": text(), bucketOwner: text() });
const mediaSource = (name: string) => union(name, { bytes: text({ minLength: 1 }), s3Location });
const image = structure({
	"format!": oneOf("png", "jpeg", "gif", "webp"),
	"source!": mediaSource("ImageSource"),
});
const documentBlock = structure({
	"name!": text({ minLength: 1, maxLength: 200 }),
	"source!": union("DocumentSource", {
		bytes: text({ minLength: 1 }),
		s3Location,
		text: text(),
		content: listOf(union("DocumentContentBlock", { text: text() }), 1),
	}),
	format: oneOf("pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"),
	context: text(),
	citations: structure({ "enabled!": boolean }),
});
const video = structure({ "format!": text(), "source!": mediaSource("VideoSource") });
const audio = structure({ "format!": text(), "source!": mediaSource("AudioSource") });
const searchResult = structure({
	"source!": text(),
	"title!": text(),
	"content!": listOf(structure({ "text!": text() })),
	citations: structure({ "enabled!": boolean }),
});
const cachePoint = structure({ "type!": oneOf("default"), ttl: oneOf("5m", "1h") });
const guardContent = union("GuardrailConverseContentBlock", {
	text: structure({ "text!": text(), qualifiers: listOf(text()) }),
	image: structure({ "format!": text(), "source!": union("ImageSource", { bytes: text() }) }),
});

const toolUse = structure({
	"toolUseId!": TOOL_USE_ID,
	"name!": TOOL_NAME,
	"input!": document,
	type: oneOf("server_tool_use"),
});
const toolResult = structure({
	"toolUseId!": TOOL_USE_ID,
	"content!": listOf(
		union("ToolResultContentBlock", {
			json: document,
			text: text(),
			image,
			document: documentBlock,
			video,
			searchResult,
		}),
	),
	status: oneOf("success", "error"),
	type: text(),
});
const reasoningContent = union("ReasoningContentBlock", {
	reasoningText: structure({ "text!": text(), signature: text() }),
	redactedContent: text(),
});

const message = structure({
	"role!": oneOf("user", "assistant"),
	"content!": listOf(
		union("ContentBlock", {
			text: text(),
			image,
			toolUse,
			toolResult,
			document: documentBlock,
			video,
			audio,
			cachePoint,
			reasoningContent,
			citationsContent: document,
			searchResult,
			guardContent,
			toolAddition: document,
			toolRemoval: document,
		}),
	),
});

const toolSpec = structure({
	"name!": TOOL_NAME,
	"inputSchema!": union("ToolInputSchema", { json: document }),
	description: text({ minLength: 1 }),
	strict: boolean,
});
const toolConfig = structure({
	"tools!": listOf(union("Tool", { toolSpec, systemTool: structure({ "name!": TOOL_NAME }), cachePoint }), 1),
	toolChoice: union("ToolChoice", {
		auto: structure({}),
		any: structure({}),
		tool: structure({ "name!": TOOL_NAME }),
	}),
});

const jsonSchema = structure({ "schema!": text(), name: text(), description: text() });
const outputConfig = structure({
	textFormat: structure({
		"type!": oneOf("json_schema"),
		"structure!": union("OutputFormatStructure", { jsonSchema }),
	}),
	effort: text(),
});

/**
 * The body of Converse and ConverseStream; the model stands in the path. Members as the vendor's own client has them
 * (`@aws-sdk/client-bedrock-runtime` 3.1163, `ConverseRequest`); limits from the API reference.
 */
export const REQUEST_SHAPE = structure({
	"messages!": listOf(message),
	system: listOf(union("SystemContentBlock", { text: text(), guardContent, cachePoint })),
	inferenceConfig: structure({
		maxTokens: number({ isInteger: true, from: 1 }),
		temperature: number({ from: 0, to: 1 }),
		topP: number({ from: 0, to: 1 }),
		stopSequences: listOf(text({ minLength: 1 })),
	}),
	toolConfig,
	guardrailConfig: structure({
		guardrailIdentifier: text(),
		guardrailVersion: text(),
		trace: text(),
		streamProcessingMode: oneOf("sync", "async"),
	}),
	additionalModelRequestFields: document,
	promptVariables: mapOf(union("PromptVariableValues", { text: text() })),
	additionalModelResponseFieldPaths: listOf(text()),
	requestMetadata: mapOf(text()),
	performanceConfig: structure({ latency: oneOf("standard", "optimized") }),
	serviceTier: structure({ "type!": oneOf("default", "flex", "priority", "reserved") }),
	outputConfig,
});
