-- The number of attempts of a job that an overloaded machine interrupted. They are not part of attempts.
ALTER TABLE job ADD COLUMN overloads integer NOT NULL DEFAULT 0;
