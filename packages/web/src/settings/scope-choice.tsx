import type { Scope } from "@stemma/client";
import { ADMIN_STRINGS } from "../strings/admin-strings";

interface ScopeChoiceProps<Choice extends Scope> {
	readonly legend: string;
	/** Scopes that can be given. */
	readonly scopes: readonly Choice[];
	readonly chosen: ReadonlySet<Choice>;
	readonly onChange: (chosen: ReadonlySet<Choice>) => void;
}

/** Choice of what a credential may do. */
export function ScopeChoice<Choice extends Scope>({
	legend,
	scopes,
	chosen,
	onChange,
}: ScopeChoiceProps<Choice>) {
	const change = (scope: Choice, isChosen: boolean) => {
		const next = new Set(chosen);
		if (isChosen) next.add(scope);
		else next.delete(scope);
		onChange(next);
	};
	return (
		<fieldset>
			<legend>{legend}</legend>
			<div className="choices">
				{scopes.map((scope) => (
					<label key={scope} className="choice">
						<input
							type="checkbox"
							checked={chosen.has(scope)}
							onChange={(event) => change(scope, event.target.checked)}
						/>
						<span>
							{ADMIN_STRINGS.scopes[scope]} <code className="small">{scope}</code>
						</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}
