import {
	agents,
	apiClients,
	ask,
	audit,
	authorizations,
	chatCompletions,
	clientKeys,
	createClient,
	invitations,
	knowledge,
	llmSettings,
	members,
	runs,
	search,
	session,
	threads,
	usage,
	workspaceSecrets,
	workspaces,
} from "@stemma/client";

/** Parts of the client that the app uses, with the session of the person in front of it. */
export function createStemma(baseUrl: string) {
	const client = createClient({ session: true, baseUrl });
	return {
		client,
		agents: agents(client),
		apiClients: apiClients(client),
		ask: ask(client),
		authorizations: authorizations(client),
		chatCompletions: chatCompletions(client),
		audit: audit(client),
		clientKeys: clientKeys(client),
		invitations: invitations(client),
		knowledge: knowledge(client),
		llmSettings: llmSettings(client),
		members: members(client),
		runs: runs(client),
		search: search(client),
		session: session(client),
		threads: threads(client),
		usage: usage(client),
		workspaceSecrets: workspaceSecrets(client),
		workspaces: workspaces(client),
	};
}

/** Service, as the app calls it. */
export type StemmaParts = ReturnType<typeof createStemma>;
