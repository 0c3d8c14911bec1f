import type { Role } from "@stemma/client";
import { STRINGS } from "../strings/strings";

const ROLES = ["viewer", "editor", "admin"] as const satisfies readonly Role[];

interface RoleSelectProps {
	readonly id?: string | undefined;
	/** Name for screen readers, where no label is beside it. */
	readonly label?: string | undefined;
	readonly role: Role;
	readonly onChange: (role: Role) => void;
}

/** Choice of a role. */
export function RoleSelect({ id, label, role, onChange }: RoleSelectProps) {
	return (
		<select
			id={id}
			aria-label={label}
			value={role}
			onChange={(event) => onChange(ROLES.find((one) => one === event.target.value) ?? role)}
		>
			{ROLES.map((one) => (
				<option key={one} value={one}>
					{STRINGS.app.roles[one]}
				</option>
			))}
		</select>
	);
}
