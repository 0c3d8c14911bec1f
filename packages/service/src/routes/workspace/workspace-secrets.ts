import * as z from "zod";
import { readAuthor } from "../../audit/audit-author";
import { DomainError } from "../../errors/domain-error";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import { noParameters, respondWithPage } from "../../http/pagination";
import type { ServiceApp } from "../../http/service-context";
import { toScope } from "../../http/to-scope";
import { MAX_ADDRESS_CHARACTERS, MAX_SECRET_CHARACTERS } from "../../validation/field-limits";
import { isSecretName, SECRET_NAME_HINT } from "../../workspace-secrets/secret-name";
import { requireEncryption } from "../require-encryption";

const secretBody = z.strictObject({
	server_url: z.string().trim().min(1).max(MAX_ADDRESS_CHARACTERS),
	value: z.string().min(1).max(MAX_SECRET_CHARACTERS).exactOptional(),
	// What is read back, so that what was read can be sent.
	name: z.unknown().optional(),
	status: z.unknown().optional(),
	created_at: z.unknown().optional(),
	updated_at: z.unknown().optional(),
	updated_by: z.unknown().optional(),
});

const PATH = "/v1/workspace/secrets";

const described = {
	list: describeRoute({
		summary: "List the secrets of the workspace",
		isList: true,
		responses: { 200: "WorkspaceSecretPage" },
		errors: ["encryption_not_configured"],
	}),
	set: describeRoute({
		summary: "Set a secret",
		body: secretBody,
		responses: { 200: "WorkspaceSecret" },
		errors: [
			"encryption_not_configured",
			"invalid_name",
			"too_many_secrets",
			"server_url_not_plain",
			"insecure_server_url",
			"blocked_address",
			"value_required",
		],
		example: { server_url: "https://tools.example.com/mcp", value: "…" },
	}),
	get: describeRoute({
		summary: "Get a secret, without its value",
		responses: { 200: "WorkspaceSecret" },
		errors: ["encryption_not_configured", "secret_not_found"],
	}),
	delete: describeRoute({
		summary: "Delete a secret",
		responses: { 200: "Deleted" },
		errors: ["encryption_not_configured", "secret_not_found"],
	}),
};

/** `/v1/workspace/secrets`: what the tools of a workspace send. */
export function addWorkspaceSecretRoutes(app: ServiceApp): void {
	const requireRead = requireCaller({ scopes: ["settings:read", "settings:write"] });
	const requireWrite = requireCaller({ scopes: ["settings:write"] });

	app.get(PATH, described.list, requireRead, requireEncryption, (context) =>
		respondWithPage(context, {
			query: noParameters,
			list: (page) => context.get("workspace").secrets.list(page),
			cursorOf: ({ name }) => name,
		}),
	);

	app.put(`${PATH}/:name`, described.set, requireWrite, requireEncryption, async (context) => {
		const { server_url, ...body } = await readJson(context, secretBody);
		const name = parseSecretName(context.req.param("name"));
		const update = { server_url, ...(body.value !== undefined && { value: body.value }) };
		return context.json(
			await context.get("workspace").secrets.set(name, update, readAuthor(toScope(context))),
		);
	});

	app.get(`${PATH}/:name`, described.get, requireRead, requireEncryption, async (context) =>
		context.json(await context.get("workspace").secrets.get(context.req.param("name"))),
	);

	app.delete(`${PATH}/:name`, described.delete, requireWrite, requireEncryption, async (context) => {
		const name = context.req.param("name");
		await context.get("workspace").secrets.delete(name, readAuthor(toScope(context)));
		return context.json({ id: name, deleted: true });
	});
}

function parseSecretName(name: string): string {
	if (isSecretName(name)) return name;
	throw new DomainError("invalid_name", "This is no name for a secret.", {
		hint: SECRET_NAME_HINT,
		param: "name",
	});
}
