import { StemmaError } from "@stemma/core/errors";
import type { Caller, UserCaller } from "../../auth/caller";
import { isAuthorizationId } from "../../authorizations/authorizations";
import type { RunContext } from "../run-context";
import type { ResumeOptions } from "../run-requests";
import { prepareAgent } from "../start-agent-run";

/** Goes on with a run that waits, as what it was started as and for whom, with the settings of now. @throws as `Runs.resume`. */
export const resumeRun = (
	{ kernel, workspace, traceContext }: Omit<RunContext, "caller">,
	runId: string,
	decide: ResumeOptions["decide"],
): Promise<void> =>
	workspace.runs.resume(runId, { decide, ...toOpenOptions({ kernel, workspace, traceContext }) });

/** Resumes a run that a crash has cut off, in the same way. @throws as `Runs.resumeInterrupted`. */
export const resumeInterruptedRun = (context: Omit<RunContext, "caller">, runId: string): Promise<void> =>
	context.workspace.runs.resumeInterrupted(runId, toOpenOptions(context));

const toOpenOptions = ({
	kernel,
	workspace,
	traceContext,
}: Omit<RunContext, "caller">): Omit<ResumeOptions, "decide"> => ({
	follow: (agent) => kernel.telemetry.observeRun({ agent, traceContext }),
	prepare: async (setting) =>
		prepareAgent({ kernel, workspace, caller: await getStarter(kernel, setting.caller) }, setting),
});

/** A run that an app has started as a person has no more scopes than the person agreed to. */
const withConsent = <Member extends Pick<Caller, "scopes">>(member: Member, starter: UserCaller): Member =>
	isAuthorizationId(starter.sessionId)
		? { ...member, scopes: member.scopes.filter((scope) => starter.scopes.includes(scope)) }
		: member;

/**
 * Finds the caller that started the run. The budget of a client key is charged, so the key must still exist; a user must
 * still be a member, and has the role of now.
 */
async function getStarter({ authenticator, people }: RunContext["kernel"], starter: Caller): Promise<Caller> {
	if (starter.kind === "client") return starter;
	if (starter.kind === "user") {
		const member = await people.sessions.findMember(starter.workspaceId, starter.id);
		if (member !== undefined) return { ...withConsent(member, starter), sessionId: starter.sessionId };
		throw new StemmaError("The member who started the run was removed while the run waited.", {
			code: "member_removed",
			hint: "Start the run again as another member.",
		});
	}
	const key = await authenticator.findClientKey(starter.id);
	if (key !== undefined) return key;
	throw new StemmaError("The client key that started the run was deleted while the run waited.", {
		code: "client_key_deleted",
		hint: "Start the run again with another client key.",
	});
}
