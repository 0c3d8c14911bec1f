import { readCount } from "../../http/call-options";
import { type OpenAiCompatibleOptions, readOptions, type Settings } from "../options";
import { toBatchSize } from "./batches";

/** Options for an embedding model: its address, and how it is called. `baseUrl` is the part before `/embeddings`. */
export interface OpenAiCompatibleEmbeddingsOptions extends OpenAiCompatibleOptions {
	/** The length of the vectors, for models that can make shorter ones. Default: the model's own. */
	readonly dimensions?: number | undefined;
	/**
	 * Maximum number of texts in one request. Default: the limit of the vendor (OpenAI 2,048, Gemini 100), 32 where
	 * that is not known.
	 */
	readonly batchSize?: number | undefined;
}

/** The options, checked and complete. */
export interface EmbeddingsSettings extends Settings {
	readonly dimensions: number | undefined;
	readonly batchSize: number;
}

/** @throws ConfigurationError that names the option, without a word of a key. */
export function readEmbeddingsOptions(options: OpenAiCompatibleEmbeddingsOptions): EmbeddingsSettings {
	const settings = readOptions(options);
	const { dimensions, batchSize = toBatchSize(settings.vendorHost) } = options;
	if (dimensions !== undefined) readCount(dimensions, "dimensions", 1);
	readCount(batchSize, "batchSize", 1);
	return { ...settings, api: "OpenAI's embeddings", dimensions, batchSize };
}
