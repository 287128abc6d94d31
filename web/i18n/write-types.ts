// `npm run messages`: writes the types of the message functions.
import { writeFileSync } from "node:fs";
import { FOLDER, readCatalogue } from "./catalogue.ts";
import { declarations, TYPES } from "./types.ts";

writeFileSync(TYPES, declarations(readCatalogue(FOLDER)));
