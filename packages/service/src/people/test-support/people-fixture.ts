import type { CreatedInvitation, CurrentSession, Role } from "@stemma/client";
import type { ConfigurationInput } from "../../configuration/configuration-file";
import type * as source from "../../index";
import { type SendRequest, sendTo, type TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";

/** Address of the service as a browser on its machine has it. */
export const ORIGIN = "http://localhost:4000";

/** Headers of a page of the service, as a browser and the client send them. */
export const PAGE_HEADERS = { origin: ORIGIN, "sec-fetch-site": "same-origin", "stemma-csrf": "1" };

/** Person who is signed in. */
export interface TestUser {
	readonly session: CurrentSession;
	/** Value of the header `cookie`. */
	readonly cookie: string;
	/** Sends as the page of the person does. */
	readonly send: SendRequest;
}

/** People of a deployment. */
export interface TestPeople {
	/** Sends to the address of pages, without a credential. */
	readonly send: SendRequest;
	/** Creates an invitation, and returns the token of its link. */
	invite(email: string, role?: Role, workspace?: TestWorkspace): Promise<string>;
	/** Invites a person and signs them in. */
	addUser(email: string, role?: Role, workspace?: TestWorkspace): Promise<TestUser>;
	signIn(token: string, more?: object, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
	/** The person of an answer to a sign-in. */
	toUser(signedIn: TestResponse): TestUser;
}

/** Deployment with a workspace and people. */
export interface PeopleFixture extends TestPeople {
	readonly deployment: TestDeployment;
	readonly mine: TestWorkspace;
	close(): Promise<void>;
}

/** @param built - the service as users import it. */
export async function startPeopleFixture(
	built: typeof source,
	content: ConfigurationInput = {},
): Promise<PeopleFixture> {
	const deployment = await openTestDeployment(built, content);
	const mine = await deployment.addWorkspace("mine");
	return { ...createPeople(deployment, mine), deployment, mine, close: () => deployment.close() };
}

/** @param mine - workspace that people are invited to where no other one is named. */
export function createPeople({ service }: Pick<TestDeployment, "service">, mine: TestWorkspace): TestPeople {
	const send = sendTo(service.fetch, undefined, ORIGIN);
	async function invite(email: string, role: Role = "viewer", { token } = mine): Promise<string> {
		const sent = send("POST", "/v1/invitations", { token, json: { email, role } });
		const { link } = await getBody<CreatedInvitation>(sent);
		return toToken(link);
	}
	const signIn: TestPeople["signIn"] = (token, more = {}, headers = {}) =>
		send("POST", "/v1/session", { json: { token, ...more }, headers: { ...PAGE_HEADERS, ...headers } });
	function toUser(signedIn: TestResponse): TestUser {
		if (signedIn.status !== 201) throw new Error(signedIn.text);
		const cookie = readCookie(signedIn);
		return {
			session: signedIn.body as CurrentSession,
			cookie,
			send: (method, path, request = {}) =>
				send(method, path, { ...request, headers: { cookie, ...PAGE_HEADERS, ...request.headers } }),
		};
	}
	return {
		...{ send, invite, signIn, toUser },
		addUser: async (email, role, workspace) => toUser(await signIn(await invite(email, role, workspace))),
	};
}

/** Token in the fragment of a sign-in link. */
export const toToken = (link: string): string => new URL(link).hash.replace("#sign-in=", "");

/** Name and value of the cookie that a response sets. */
export const readCookie = ({ headers }: TestResponse): string =>
	(headers.get("set-cookie") ?? "").split(";")[0] ?? "";
