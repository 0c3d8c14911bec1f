import * as z from "zod";
import { assertVisibleVersion } from "../../access/assert-visible-version";
import { versionNotFound } from "../../agents/agents";
import { checkCallableGraph } from "../../agents/check-callable-graph";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { withIdempotency } from "../../http/idempotency/idempotency";
import { noParameters, respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { requireSpace } from "../../storage/require-space";
import { noteField } from "./note-field";

const restoreBody = z.strictObject({ note: noteField, version: z.int().positive().optional() });

const described = {
	list: describeRoute({
		summary: "List the versions of an agent",
		isList: true,
		responses: { 200: "AgentVersionPage" },
		errors: ["agent_not_found"],
	}),
	get: describeRoute({
		summary: "Get a version of an agent",
		responses: { 200: "AgentVersion" },
		errors: ["agent_not_found", "agent_version_not_found"],
	}),
	restore: describeRoute({
		summary: "Restore a version of an agent",
		body: restoreBody,
		isIdempotent: true,
		responses: { 200: "StoredAgent" },
		errors: [
			"agent_not_found",
			"agent_version_not_found",
			"agent_changed",
			"agent_invalid",
			"agent_not_runnable",
			"blocked_address",
			"knowledge_base_not_found",
			"slug_taken",
			"quota_exceeded",
		],
	}),
};

/** `/v1/agents/:id/versions`: graphs that an agent had. */
export function addAgentVersionRoutes(app: ServiceApp): void {
	const requireWrite = requireCaller({ scopes: ["agents:write"] });

	app.get("/v1/agents/:id/versions", described.list, requireWrite, (context) =>
		respondWithPage(context, {
			query: noParameters,
			list: ({ limit, after }) =>
				context
					.get("workspace")
					.agents.listVersions(context.req.param("id"), { limit, before: readCursor(after) }),
			cursorOf: ({ number }) => String(number),
		}),
	);

	app.get("/v1/agents/:id/versions/:number", described.get, requireWrite, async (context) => {
		const { id, number } = context.req.param();
		const version = await context.get("workspace").agents.getVersion(id, readNumber(number));
		await assertVisibleVersion(toScope(context), version);
		return context.json(version);
	});

	app.post("/v1/agents/:id/versions/:number/restore", described.restore, requireWrite, async (context) => {
		const scope = toScope(context);
		const { agents } = scope.workspace;
		await requireSpace(scope);
		const { id, number } = context.req.param();
		const body = await readJson(context, restoreBody);
		return withIdempotency(context, body, async () => {
			const version = await agents.getVersion(id, readNumber(number));
			await assertVisibleVersion(scope, version);
			const graph = await checkCallableGraph(scope, version.graph);
			const change = { ...body, graph, createdBy: scope.caller.id, restoredFrom: version.number };
			return { status: 200, body: await agents.replace(id, change) };
		});
	});
}

const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text);

/** @throws DomainError `agent_version_not_found` for what cannot be a number of a version. */
function readNumber(text: string): number {
	if (!isWhole(text)) throw versionNotFound(text);
	return Number(text);
}

function readCursor(after: string | undefined): number | undefined {
	if (after === undefined || isWhole(after)) return after === undefined ? undefined : Number(after);
	throw new DomainError("invalid_request", '"after" must be the "next" of the page before.', {
		param: "after",
	});
}
