import { visibleText } from "@stemma/client";
import { useApp } from "../data/app-context";
import { useResource } from "../data/use-resource";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { useSwitchWorkspace } from "./use-switch-workspace";

/** Other workspaces of the person, each with a button that leads there. Nothing where there are none. */
export function WorkspaceMenu() {
	const { stemma } = useApp();
	const own = useResource("workspaces of the person", (signal) => stemma.session.workspaces({ signal }));
	const switching = useSwitchWorkspace();
	const others = own.value?.data.filter(({ current }) => !current) ?? [];
	if (others.length === 0) return <ErrorNotice error={own.error} />;
	return (
		<>
			{others.map(({ id, name }) => (
				<button
					key={id}
					type="button"
					dir="auto"
					disabled={switching.isRunning}
					onClick={() => void switching.run(id)}
				>
					{STRINGS.app.switchTo(visibleText(name))}
				</button>
			))}
			<ErrorNotice error={switching.error} />
		</>
	);
}
