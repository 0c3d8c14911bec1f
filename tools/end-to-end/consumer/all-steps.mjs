// Everything that a program does with a service and a runtime, over the packages that it is handed.
import { agentsStep } from "./agents-step.mjs";
import { askStep } from "./ask-step.mjs";
import { check } from "./check.mjs";
import { clientKeyStep } from "./client-key-step.mjs";
import { fetchToken } from "./http.mjs";
import { knowledgeStep } from "./knowledge-step.mjs";
import { localStep } from "./local-step.mjs";
import { runsStep } from "./runs-step.mjs";
import { runtimeStep } from "./runtime-step.mjs";

/**
 * Fails on the first thing that is wrong.
 *
 * @param packages - `@stemma/client` and `@stemma/local`.
 * @param settings - where the service and the runtime are, credentials, ids, and what to expect; see `settings.ts`.
 */
export async function runAllSteps({ client, local }, settings) {
	const { service, clientId, clientSecret } = settings;
	const accessToken = await tokenStep(settings);
	const stemma = new client.Stemma({ baseUrl: service, clientId, clientSecret });
	const context = {
		...settings,
		packages: { client, local },
		stemma,
		accessToken,
		runTokens: [],
		modelCalls: 0,
	};
	await knowledgeStep(context);
	const answer = await askStep(context);
	const output = await agentsStep(context);
	await runsStep(context);
	await runtimeStep(context);
	await localStep(context);
	await clientKeyStep(context);
	return {
		node: process.version,
		answer,
		output,
		modelCalls: context.modelCalls,
		secrets: { accessTokens: [accessToken], runTokens: context.runTokens },
	};
}

async function tokenStep(settings) {
	const { status, body } = await fetchToken(settings, settings.clientSecret);
	check(status === 200 && body.token_type === "bearer" && body.expires_in === 900, "the token", status);
	check(body.scope.split(" ").includes("agents:run"), "the token's scope", body.scope);
	const refused = await fetchToken(settings, `${settings.clientSecret.slice(0, -4)}AAAA`);
	check(refused.status === 401 && refused.body.error === "invalid_client", "a wrong secret", refused);
	return body.access_token;
}
