"""Names to try where nobody says whom a document may be about: common ones, of every width."""

from __future__ import annotations

_FIRST = (
    *("Al", "Jo", "Tim", "Ian", "Anna", "Emma", "Omar", "Paul", "James", "Maria", "Sarah", "David", "Robert", "Olivia"),
    *("Michael", "Jessica", "Patricia", "Jonathan", "Alexander", "Elizabeth", "Christopher", "Maximilian"),
)
_LAST = (
    *("Li", "Fox", "Ali", "Hill", "Kim", "Khan", "Cole", "Smith", "Brown", "Jones", "Garcia", "Miller", "Wilson"),
    *("Johnson", "Martinez", "Thompson", "Hernandez", "Rodriguez", "Fitzgerald", "Montgomery", "Kwiatkowski"),
)

PEOPLE = tuple(f"{first} {last}" for first in _FIRST for last in _LAST)
