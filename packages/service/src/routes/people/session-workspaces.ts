import type { SwitchWorkspaceRequest, UserWorkspaces } from "@stemma/client";
import * as z from "zod";
import { requireCaller } from "../../http/auth/authenticate";
import { readJson } from "../../http/body/read-json";
import { describeRoute } from "../../http/describe-route";
import type { ServiceApp } from "../../http/service-context";
import type { PeopleStore } from "../../people/sessions";
import { listUserWorkspaces, switchWorkspace } from "../../people/switch-workspace";
import { requireUser } from "./require-user";
import { readSignInContext, respondWithSession } from "./respond-with-session";

const switchBody = z.strictObject({
	workspace_id: z.string().min(1).max(100),
}) satisfies z.ZodType<SwitchWorkspaceRequest>;

const described = {
	list: describeRoute({
		summary: "List the workspaces that the person may go to",
		responses: { 200: "UserWorkspaces" },
		errors: ["session_required"],
	}),
	switch: describeRoute({
		summary: "Go to another workspace",
		body: switchBody,
		responses: { 201: "CurrentSession" },
		errors: ["session_required", "workspace_not_found"],
	}),
};

/** `/v1/session/workspaces` and `/v1/session/workspace`: the workspaces of the person who uses the page. */
export function addSessionWorkspaceRoutes(app: ServiceApp, store: PeopleStore): void {
	// Somebody whose workspace cannot be used may go on in another one.
	const requireAny = requireCaller({ scopes: [], needsWorkspace: false });

	app.get("/v1/session/workspaces", described.list, requireAny, async (context) => {
		const data = await listUserWorkspaces(store, requireUser(context));
		return context.json({ data } satisfies UserWorkspaces);
	});

	app.post("/v1/session/workspace", described.switch, requireAny, async (context) => {
		const caller = requireUser(context);
		const { workspace_id } = await readJson(context, switchBody);
		const signedIn = await switchWorkspace(store, caller, workspace_id, readSignInContext(context));
		return respondWithSession(context, store, signedIn);
	});
}
