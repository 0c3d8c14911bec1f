import type { LlmProviders, LlmStage, LlmStages, UnsetLlmSettings } from "@stemma/client";
import { MAX_JSON_BODY_BYTES, omitUndefined } from "@stemma/core/internal";
import type { StageRow } from "@stemma/routing";
import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import type { RateLimiter } from "../../auth/rate-limiter";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readBody } from "../../http/body/read-body";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { createCallMeter } from "../../models/metering/caller-meter";
import type { Models } from "../../models/models";
import { modelNameSchema } from "../../settings/check-model";
import { LLM_PROVIDERS } from "../../settings/llm-providers";
import { testSettings } from "../../settings/test-settings";
import { MAX_ADDRESS_CHARACTERS, MAX_SECRET_CHARACTERS } from "../../validation/field-limits";
import { requireEncryption } from "../require-encryption";

/** Fields that responses contain and requests ignore, so that a response can be sent back. */
const readOnlyFields = {
	has_api_key: z.unknown().optional(),
	status: z.unknown().optional(),
	created_at: z.unknown().optional(),
	updated_at: z.unknown().optional(),
	updated_by: z.unknown().optional(),
	warnings: z.unknown().optional(),
	deployment: z.unknown().optional(),
};
const fields = {
	provider: modelNameSchema,
	base_url: z.string().trim().min(1).max(MAX_ADDRESS_CHARACTERS),
	model: modelNameSchema,
};
/** Blanks around a key come from copying. */
const apiKey = z.string().trim().min(1).max(MAX_SECRET_CHARACTERS).nullable().exactOptional();
const settingsBody = z.strictObject({ ...fields, api_key: apiKey, ...readOnlyFields });
const testBody = z.strictObject({
	provider: fields.provider.exactOptional(),
	base_url: fields.base_url.exactOptional(),
	model: fields.model.exactOptional(),
	api_key: apiKey,
	...readOnlyFields,
});

const TESTS_PER_MINUTE = 10;
const PATH = "/v1/workspace/llm-settings";

const described = {
	set: describeRoute({
		summary: "Set the model settings of the workspace",
		body: settingsBody,
		responses: { 200: "SavedLlmSettings" },
		errors: [
			"encryption_not_configured",
			"blocked_address",
			"insecure_base_url",
			"base_url_not_aws",
			"provider_not_supported",
			"api_key_required",
			"region_mismatch",
			"invalid_settings",
			"knowledge_base_in_use",
			"not_set",
			"credential_undecryptable",
		],
	}),
	get: describeRoute({
		summary: "Get the model settings of the workspace",
		responses: { 200: "CurrentLlmSettings" },
		errors: ["encryption_not_configured"],
	}),
	delete: describeRoute({
		summary: "Delete the model settings of the workspace",
		responses: { 200: "DeletedLlmSettings" },
		errors: ["encryption_not_configured"],
	}),
	test: describeRoute({
		summary: "Test model settings with a real call",
		body: testBody,
		isBodyOptional: true,
		responses: { 200: "LlmSettingsTest" },
		errors: [
			"encryption_not_configured",
			"too_many_tests",
			"blocked_address",
			"insecure_base_url",
			"base_url_not_aws",
			"provider_not_supported",
			"api_key_required",
			"region_mismatch",
			"invalid_settings",
			"knowledge_base_in_use",
			"not_set",
			"credential_undecryptable",
		],
		callsModels: true,
	}),
	list: describeRoute({
		summary: "List who answers at each stage, and who pays",
		responses: { 200: "LlmStages" },
		errors: ["encryption_not_configured"],
	}),
	listKnown: describeRoute({
		summary: "List known vendors",
		responses: { 200: "LlmProviders" },
		errors: ["encryption_not_configured"],
	}),
};

/** `/v1/workspace/llm-settings`, and `GET /v1/llm-providers`. */
export function addLlmSettingsRoutes(app: ServiceApp, tests: RateLimiter): void {
	const requireRead = requireCaller({ scopes: ["settings:read", "settings:write"] });
	const requireWrite = requireCaller({ scopes: ["settings:write"] });

	app.put(PATH, described.set, requireWrite, requireEncryption, async (context) => {
		const { provider, base_url, model, ...body } = await readJson(context, settingsBody);
		const update = { provider, base_url, model, ...("api_key" in body && { api_key: body.api_key ?? null }) };
		return context.json(await context.get("workspace").settings.set(update, readAuthor(toScope(context))));
	});

	app.get(PATH, described.get, requireRead, requireEncryption, async (context) => {
		const stored = await context.get("workspace").settings.read();
		return context.json(stored ?? toUnset(context.get("kernel").models));
	});

	app.delete(PATH, described.delete, requireWrite, requireEncryption, async (context) => {
		const deleted = await context.get("workspace").settings.delete(readAuthor(toScope(context)));
		return context.json({ deleted });
	});

	app.post(`${PATH}/test`, described.test, requireWrite, requireEncryption, async (context) => {
		const body = await readTestBody(context);
		const { id, settings } = context.get("workspace");
		const seconds = tests.count(id, TESTS_PER_MINUTE);
		if (seconds > 0) throw tooManyTests(seconds);
		const prepared = await settings.prepare(body);
		const scope = toScope(context);
		const { models } = scope.kernel;
		const meter = createCallMeter(scope, { isServiceRun: false });
		// A call that nobody waits for any more was made all the same.
		let outcome = "aborted";
		try {
			const tested = await testSettings(prepared, { models, meter, signal: scope.signal });
			outcome = tested.error?.code ?? "ok";
			return context.json(tested);
		} finally {
			await settings.recordTest(prepared, outcome, readAuthor(scope));
		}
	});

	app.get(`${PATH}/stages`, described.list, requireRead, requireEncryption, async (context) => {
		const workspace = await context.get("workspace").settings.open();
		return context.json(toStages(() => context.get("kernel").models.plan(STAGES, { workspace })));
	});

	app.get("/v1/llm-providers", described.listKnown, requireRead, requireEncryption, (context) =>
		context.json({ data: LLM_PROVIDERS } satisfies LlmProviders),
	);
}

const STAGES = ["rewrite", "embed", "score", "answer", "index"] as const;

/** Answer to a read where nothing is set: what the deployment uses, without its address. */
function toUnset(models: Models): UnsetLlmSettings {
	const [answer] = models.plan(["answer"], {});
	if (answer === undefined) throw new Error("The plan has no row for the stage that was asked for.");
	return {
		provider: null,
		base_url: null,
		model: null,
		has_api_key: false,
		status: "ok",
		created_at: null,
		updated_at: null,
		updated_by: null,
		deployment: { provider: answer.provider, model: answer.model },
	};
}

/** Reads the body of a test. Without a body, the stored settings are tested. */
async function readTestBody(context: ServiceContext) {
	const isUntyped = context.req.header("content-type") === undefined;
	if (isUntyped && (await readBody(context, MAX_JSON_BODY_BYTES)).byteLength === 0) return {};
	const { provider, base_url, model, ...body } = await readJson(context, testBody);
	const api_key = "api_key" in body ? (body.api_key ?? null) : undefined;
	return omitUndefined({ provider, base_url, model, api_key });
}

/** A page that shows how things stand shows a refusal, too. */
function toStages(plan: () => readonly StageRow[]): LlmStages {
	try {
		return { stages: plan().map(toStage) };
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		const { code, message, hint = "" } = error;
		return { stages: [], refusal: { code, message, hint } };
	}
}

const toStage = ({ credential, ...row }: StageRow): LlmStage => ({
	stage: row.stage,
	payer: row.payer,
	provider: row.provider,
	base_url: row.base_url,
	model: row.model,
	credential: credential.kind,
	reason: row.reason,
});

const tooManyTests = (seconds: number): DomainError =>
	new DomainError("too_many_tests", `Settings can be tested ${TESTS_PER_MINUTE} times a minute.`, {
		hint: "Each test is a real call. Try again in a moment.",
		retryAfterSeconds: seconds,
	});
