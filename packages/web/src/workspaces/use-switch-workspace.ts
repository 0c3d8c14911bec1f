import { useApp } from "../data/app-context";
import { type Action, useAction } from "../data/use-action";

/** Goes on in another workspace of the person: the app begins again there, as nothing of the first one may stay. */
export function useSwitchWorkspace(): Action<readonly [workspaceId: string]> {
	const { stemma } = useApp();
	return useAction(async (workspaceId: string) => {
		await stemma.session.switchWorkspace({ workspace_id: workspaceId });
		globalThis.history.replaceState(null, "", globalThis.location.pathname);
		globalThis.location.reload();
	});
}
