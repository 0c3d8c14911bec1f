import { z } from "zod";
import { readAuthor } from "../audit/audit-author";
import { ApiError } from "../http/api-error";
import { requireCaller } from "../http/authenticate";
import { MAX_ADDRESS_CHARACTERS, MAX_SECRET_CHARACTERS } from "../http/field-limits";
import { readPage, toPage } from "../http/pages";
import { readJson, readQuery } from "../http/read-json";
import type { ServiceApp } from "../http/service-app";
import { demandEncryption } from "../settings/demand-encryption";
import { isSecretName, SECRET_NAME_HINT } from "../workspace-secrets/secret-name";

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

const noParameters = z.strictObject({});
const PATH = "/v1/workspace/secrets";

/** `/v1/workspace/secrets`: what the tools of a workspace send. */
export function addWorkspaceSecretRoutes(app: ServiceApp): void {
	const toRead = requireCaller({ scopes: ["settings:read", "settings:write"] });
	const toWrite = requireCaller({ scopes: ["settings:write"] });

	app.get(PATH, toRead, demandEncryption, async (context) => {
		readQuery(context, noParameters);
		const page = readPage(context);
		const rows = await context.get("workspace").secrets.list(page);
		return context.json(toPage(rows, page.limit, ({ name }) => name));
	});

	app.put(`${PATH}/:name`, toWrite, demandEncryption, async (context) => {
		const { server_url, ...body } = await readJson(context, secretBody);
		const name = demandName(context.req.param("name"));
		const update = { server_url, ...(body.value !== undefined && { value: body.value }) };
		return context.json(await context.get("workspace").secrets.set(name, update, readAuthor(context)));
	});

	app.get(`${PATH}/:name`, toRead, demandEncryption, async (context) =>
		context.json(await context.get("workspace").secrets.get(context.req.param("name"))),
	);

	app.delete(`${PATH}/:name`, toWrite, demandEncryption, async (context) => {
		const name = context.req.param("name");
		await context.get("workspace").secrets.delete(name, readAuthor(context));
		return context.json({ id: name, deleted: true });
	});
}

function demandName(name: string): string {
	if (isSecretName(name)) return name;
	throw new ApiError(422, "invalid_name", "This is no name for a secret.", {
		hint: SECRET_NAME_HINT,
		param: "name",
	});
}
