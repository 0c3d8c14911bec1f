import type { Embeddings } from "@stemma/client";
import { EMBEDDED_PROVIDER, type EmbeddingReply, type StageRow } from "@stemma/routing";
import * as z from "zod";
import { createCallerReceipts } from "../../answering/caller-receipts";
import { assertMayCallModels } from "../../answering/client-key-limits";
import { toCompletionError } from "../../completions/completion-error";
import { createId } from "../../create-id";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { isZeroVector } from "../../models/is-zero-vector";
import { meterEmbeddings } from "../../models/metering/metered-embeddings";
import { visibilityOf } from "../../runs/visibility";

const MAX_BYTES = 20 * 1024 * 1024;
const MAX_TEXT_CHARACTERS = 100_000;
const MAX_TEXTS = 2_048;
const text = z.string().min(1).max(MAX_TEXT_CHARACTERS);

/** OpenAI's; fields that are not known are left aside, as its clients send some. */
const embeddingsBody = z.looseObject({
	model: z.string().min(1).max(256),
	input: z.union([text, z.array(text).min(1).max(MAX_TEXTS)], {
		error: "must be a text, or 1 to 2,048 texts",
	}),
	encoding_format: z.enum(["float", "base64"]).default("float"),
	dimensions: z.int().min(1).max(65_536).optional(),
});

const description = describeRoute({
	summary: "Make vectors of texts, as OpenAI does",
	body: embeddingsBody,
	responses: { 200: "Embeddings" },
	errors: [
		"embeddings_not_configured",
		"model_not_allowed",
		"dimensions_not_allowed",
		"unsupported_language",
		"embedding_failed",
		"embedding_length_changed",
	],
	callsModels: true,
	example: { model: "default", input: "Hello" },
});

/** `POST /v1/embeddings`: OpenAI's, with the deployment's embedding model behind it. */
export function addEmbeddingsRoute(app: ServiceApp): void {
	const requireAsk = requireCaller({ scopes: ["ask"], clientKeys: true });
	app.post("/v1/embeddings", description, requireAsk, async (context) => {
		const caller = context.get("caller");
		assertMayCallModels(caller);
		const { input, encoding_format, ...requested } = await readJson(context, embeddingsBody, {
			maxBytes: MAX_BYTES,
		});
		const texts = typeof input === "string" ? [input] : input;
		const workspace = await context.get("workspace").settings.open();
		const { models } = context.get("kernel");
		const [row] = models.plan(["embed"], { workspace });
		const canSeeVendor = visibilityOf(caller) !== "answer";
		const planned = getEmbeddingRow(row, requested, { dimensions: models.space?.dimensions, canSeeVendor });
		const receiptId = createId("rcp");
		context.header("stemma-receipt-id", receiptId);
		const receipts = createCallerReceipts(toScope(context), receiptId);
		const model = meterEmbeddings(models.embedding(planned, workspace), planned, receipts.meter);
		const { signal } = context.req.raw;
		const reply = await model
			.embed(texts, { signal })
			.catch(receipts.rejectForCaller)
			.catch((error: unknown) => {
				throw toCompletionError(error, "input");
			});
		await receipts.waitUntilWritten();
		if (planned.provider === EMBEDDED_PROVIDER) assertKnownLanguage(reply);
		const tokens = receipts.rows.reduce((sum, { input_tokens }) => sum + input_tokens, 0);
		const modelName = canSeeVendor ? planned.model : requested.model;
		const answered = toEmbeddings(modelName, reply, encoding_format, tokens);
		const receipt = receipts.visibleRows();
		return context.json({ ...answered, ...(receipt.length > 0 && { stemma: { receipt } }) });
	});
}

type RequestedModel = Pick<z.output<typeof embeddingsBody>, "model" | "dimensions">;

/** Returns the row for embeddings. All callers share one vector space. */
function getEmbeddingRow(
	row: StageRow | undefined,
	{ model, dimensions }: RequestedModel,
	deployment: { readonly dimensions: number | undefined; readonly canSeeVendor: boolean },
): StageRow {
	if (row === undefined || (row.payer === "none" && row.provider !== EMBEDDED_PROVIDER))
		throw new DomainError("embeddings_not_configured", "No embedding model is configured.", {
			hint: "The operator of the service can configure one with `embeddings`.",
		});
	if (model !== "default" && !(deployment.canSeeVendor && model === row.model))
		throw new DomainError("model_not_allowed", "Vectors are made by only one model.", {
			hint: deployment.canSeeVendor ? `Ask for "default" or "${row.model}".` : 'Ask for "default".',
			param: "model",
		});
	if (dimensions !== undefined && dimensions !== deployment.dimensions)
		throw new DomainError("dimensions_not_allowed", "Vectors are made in only one length.", {
			hint: "Leave `dimensions` out.",
			param: "dimensions",
		});
	return row;
}

/** @throws DomainError where the embedded model does not know the language of a text. */
function assertKnownLanguage({ vectors }: EmbeddingReply): void {
	const index = vectors.findIndex(isZeroVector);
	if (index === -1) return;
	throw new DomainError("unsupported_language", `The embedded model does not know text ${index + 1}.`, {
		hint: "It knows English prose only: leave the text out, or ask the operator for another embedding model.",
		param: "input",
	});
}

function toEmbeddings(
	model: string,
	{ vectors }: EmbeddingReply,
	format: "float" | "base64",
	tokens: number,
): Embeddings {
	return {
		object: "list",
		model,
		data: vectors.map((vector, index) => ({
			object: "embedding",
			index,
			embedding: format === "float" ? [...vector] : toBase64(vector),
		})),
		usage: { prompt_tokens: tokens, total_tokens: tokens },
	};
}

/** The least significant byte first, as this machine and all that Node runs on have it. */
const toBase64 = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
	Buffer.from(buffer, byteOffset, byteLength).toString("base64");
