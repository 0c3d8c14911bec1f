import { fetchToken } from "../service/start-service.mjs";

const GRAPH = (model) => ({ nodes: [{ id: "desk", kind: "coordinator", model: { model } }] });

/**
 * Creates workspaces, each with agents of one model turn.
 *
 * @param service - an instance, as `startService` starts it.
 * @param models - of the agents, by their slugs.
 * @returns the token of each workspace.
 */
export async function createWorkspaces(service, count, models) {
	const tokens = [];
	for (let index = 0; index < count; index++) {
		const created = await service.send("POST", "/v1/workspaces", { name: `bench ${index}` });
		const token = await fetchToken(service.url, created);
		for (const [slug, model] of Object.entries(models))
			await postJson(service.url, token, "/v1/agents", { slug, graph: GRAPH(model) });
		tokens.push(token);
	}
	return tokens;
}

/** Sends a request to any instance. */
export async function postJson(url, token, path, body) {
	const response = await fetch(`${url}${path}`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	const answer = await response.json();
	if (!response.ok) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
	return answer;
}
