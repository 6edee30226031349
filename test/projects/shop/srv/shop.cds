service Shop { entity Orders { key ID : Integer; } }
