-- Card numbers, names of cashiers and holders, account and terminal numbers are covered on the pictures that are kept;
-- a household may decide otherwise. It holds for what is read from then on: the original is never kept.
ALTER TABLE household ADD COLUMN keeps_personal_details boolean NOT NULL DEFAULT false;
