import { createRequire } from "node:module";
import type { EmbeddedPackages } from "./embedded-packages";
import { isKnownText, toReadPart } from "./embedded-text";

/** Texts for the thread of the embedded model. */
export interface EmbeddedInput {
	readonly packages: EmbeddedPackages;
	readonly texts: readonly string[];
}

/** Vectors in the order of the texts, zeros for those that are not in English; or why the model cannot be loaded. */
export type EmbeddedOutput = { readonly vectors: readonly Float32Array[] } | { readonly loadError: string };

/** The part of `@energetic-ai/embeddings` that is used. */
interface Encoder {
	readonly tokenizer: { encode(text: string): readonly number[] };
	embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

const DIMENSIONS = 512;

let encoder: Promise<Encoder> | undefined;

/** Makes vectors, in the thread that this is called in. The first call loads the model. */
export async function embedTexts({ packages, texts }: EmbeddedInput): Promise<EmbeddedOutput> {
	try {
		encoder ??= loadEncoder(packages);
		await encoder;
	} catch (error) {
		encoder = undefined;
		return { loadError: String(error) };
	}
	const model = await encoder;
	const vectors: Float32Array[] = [];
	// One after the other: a batch takes as long, and memory for all of its texts.
	for (const text of texts) vectors.push(await embedText(model, text));
	return { vectors };
}

async function loadEncoder({ embeddings, weights }: EmbeddedPackages): Promise<Encoder> {
	const require = createRequire(embeddings);
	const { initModel }: { initModel(source: unknown): Promise<Encoder> } = require(embeddings);
	const { modelSource }: { readonly modelSource: unknown } = require(weights);
	return initModel(modelSource);
}

async function embedText(model: Encoder, text: string): Promise<Float32Array> {
	const part = toReadPart(text);
	if (!isKnownText(part, model.tokenizer.encode(part).length)) return new Float32Array(DIMENSIONS);
	const [vector = []] = await model.embed([part]);
	return Float32Array.from(vector);
}
